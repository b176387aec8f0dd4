import type { CheckReport } from '../check.js';
import { githubReport } from './github.js';
import { jsonReport } from './json.js';
import { junitReport } from './junit.js';
import type { Page } from './page.js';
import { prettyReport } from './pretty.js';

/** A whole report as text, by the name of its form. */
export const REPORTERS = {
  pretty: prettyReport,
  json: jsonReport,
  github: githubReport,
  junit: junitReport,
} as const satisfies Record<string, (report: CheckReport, page: Page) => string>;

export type ReporterName = keyof typeof REPORTERS;
