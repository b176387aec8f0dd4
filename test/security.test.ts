import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './cli/run.js';

/** The rows of a table whose last cells are a test's file and title. */
const PROMISE = /^\| (.+?) +\| `(test\/\S+\.test\.ts)` +\| `(.+)` +\|$/gm;

const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const promises = [...text.matchAll(PROMISE)].map(([, promise = '', file = '', title = '']) => {
  return { promise, file, title };
});

describe('docs/security.md', () => {
  test('names a test with every promise', () => {
    expect(promises.length).toBeGreaterThan(0);
    expect(promises.length).toBe(text.match(/`test\/\S+\.test\.ts` +\|/g)?.length);
  });

  test.each(promises)('$promise: $title', ({ file, title }) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
    const quoted = title.replaceAll("'", "\\'");
    const source = readFileSync(join(ROOT, file), 'utf8');
    // As the title of a test or of a group of tests, which is an argument on a line of its own where it is long.
    expect(source.split('\n').map((one) => one.trim())).toEqual(
      expect.arrayContaining([expect.stringMatching(titled(quoted))]),
    );
  });
});

function titled(title: string): RegExp {
  const literal = title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`^(?!.*\\.(?:skip|todo)\\()(?:.*\\b(?:test|describe)\\b.*\\(|\\]?\\)\\()?'${literal}',`);
}
