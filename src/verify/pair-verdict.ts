import type { ByteSource } from '../transcript/lines.js';
import { type OpenFileOptions, openFile, readFile } from './file-reading.js';
import type { Finding } from './finding.js';
import { newFaults, type PairFault, type PairReport } from './pairs.js';

/** What is wrong with the calls and results of a file. */
export interface PairVerdict {
  readonly findings: readonly Finding[];
  /** What no provider refuses, or what the original has as well. */
  readonly notes: readonly Finding[];
}

export interface FilePairs {
  readonly format: string | null;
  /** Of each conversation. */
  readonly pairs: readonly PairReport[];
}

export function readPairs(source: ByteSource, options: OpenFileOptions): FilePairs {
  const transcript = openFile(source, options);
  return {
    format: transcript?.format.name ?? null,
    pairs: readFile(source, transcript).conversations.map(({ pairs }) => pairs),
  };
}

/** In a file of its own, what a provider would refuse is a finding. */
export function judgePairs(reports: readonly PairReport[]): PairVerdict {
  return verdict(reports, ({ faults }) => faults.filter(({ isRefused }) => isRefused));
}

/** In a file that was made of another one, what that one does not have is a finding. */
export function comparePairs(before: readonly PairReport[], after: readonly PairReport[]): PairVerdict {
  return verdict(after, (report, i) => newFaults(before[i], report));
}

function verdict(
  reports: readonly PairReport[],
  wrong: (report: PairReport, conversation: number) => readonly PairFault[],
): PairVerdict {
  const judged = reports.map((report, i) => ({ faults: report.faults, wrong: new Set(wrong(report, i)) }));
  return {
    findings: judged.flatMap((one, i) => [...one.wrong].map((fault) => pairFinding(fault, i))),
    notes: judged.flatMap(({ faults, wrong }, i) =>
      faults.filter((fault) => !wrong.has(fault)).map((fault) => pairFinding(fault, i)),
    ),
  };
}

function pairFinding({ position, part, line, message }: PairFault, conversation: number): Finding {
  return { kind: 'pair', conversation, position, part, line, message, expected: null, actual: null };
}
