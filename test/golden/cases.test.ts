import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { readCase } from '../../src/golden/cases.js';
import { ROOT } from '../cli/run.js';

const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/case.schema.json'), 'utf8'));
const isCase = new Ajv2020({ formats: { regex: isRegex } }).compile(schema);

function isRegex(text: string): boolean {
  try {
    return Boolean(new RegExp(text, 'mu'));
  } catch {
    return false;
  }
}

const good: readonly string[] = [
  '{"args":["show","a.jsonl","0"]}',
  '\ufeff{"args":["ledger"],"stdin":"sub/a b.jsonl","expect":"目录/x.golden","exit":255}',
  '{"$schema":"../case.schema.json","args":["ledger"],"stdin":{"text":""},"stderr":["^thread: "],"fails":true}',
  '{"args":["ledger"],"ignore":[{"pointer":"/a~1b/0/~0","reason":"a clock"},{"pointer":"/","reason":"x"}]}',
  '{"args":["ledger"],"expect":"a..b/.x"}',
];

test.each(good)('%s is a case, by the code and by the schema', (text) => {
  expect(() => readCase('x.case.json', Buffer.from(text))).not.toThrow();
  expect(isCase(JSON.parse(text.replace('\ufeff', '')))).toBe(true);
});

/** What the published schema refuses too. */
const refused: readonly (readonly [text: string, problem: string])[] = [
  ['[]', '1:1: Invalid input: expected object, received array'],
  ['{}', '1:1: args: Invalid input: expected array, received undefined'],
  ['{"args":[]}', '1:9: args: Too small: expected array to have >=1 items'],
  ['{"args":"show a"}', '1:9: args: Invalid input: expected array, received string'],
  ['{"args":["é",\n  7]}', '2:3: args.1: Invalid input: expected string, received number'],
  ['{"args":["a"],\r\n"exits":0}', '2:9: unknown key: "exits"'],
  ['{"args":["a"],"ignore":[{"pointer":"/a","reason":"b","é":1}]}', '1:58: unknown key: "ignore.0.é"'],
  ['{"args":["a"],"exit":1.5}', '1:22: exit: Invalid input: expected int, received number'],
  ['{"args":["a"],"exit":256}', '1:22: exit: Too big: expected number to be <=255'],
  ['{"args":["a"],"stderr":["("]}', '1:25: stderr.0: not a regular expression'],
  [
    '{"args":["a"],"ignore":[{"pointer":"a","reason":"b"}]}',
    '1:36: ignore.0.pointer: a JSON pointer expected, such as /report/sha256',
  ],
  [
    '{"args":["a"],"ignore":[{"pointer":"/a"}]}',
    '1:25: ignore.0.reason: Invalid input: expected string, received undefined',
  ],
  ...['/etc/passwd', '../x', 'a/../../x', 'C:/x', 'a\\\\b', ''].map((path): [string, string] => [
    `{"args":["a"],"expect":"${path}"}`,
    path === ''
      ? '1:24: expect: Too small: expected string to have >=1 characters'
      : '1:24: expect: a path inside the folder of the case expected, with forward slashes',
  ]),
  [
    '{"args":["a"],"stdin":"../x"}',
    '1:23: stdin: a path inside the folder of the case expected, with forward slashes',
  ],
  ['{"args":["a"],"expect":"a.case.json"}', '1:24: expect: a golden cannot be a case file'],
  [
    '{"args":["a"],"stdin":7}',
    '1:23: stdin: the path of a file inside the folder of the case expected, or an object with the key "text"',
  ],
];

/** What JSON Schema cannot see. */
const unreadable: readonly (readonly [text: string | Uint8Array, problem: string])[] = [
  ['', '1:1: not JSON: no value'],
  ['{"args":["a"],\n "exit": }', '2:10: not JSON: a value is missing'],
  ['{"args":["a"]} x', '1:16: not JSON: not a JSON value'],
  ['{"args":["a"],"args":["b"]}', '1:15: the key "args" stands twice'],
  ['{"args":["a"],\n"__proto__":{}}', '2:1: unknown key: "__proto__"'],
  ['{"args":["a"],"stdin":{"text":"","\\u005f_proto__":1}}', '1:34: unknown key: "__proto__"'],
  [`${'['.repeat(200_000)}${']'.repeat(200_000)}`, '1:1: Invalid input: expected object, received array'],
  [Buffer.from('{"args":["\xff"]}', 'latin1'), ' not UTF-8'],
  [
    '{"args":["a"],"ignore":[{"pointer":"/0/1/2/3/4/5/6","reason":"b"}]}',
    '1:36: ignore.0.pointer: a JSON pointer has at most 6 numbers',
  ],
];

describe('a case file that is refused names its place', () => {
  test.each(refused)('%s', (text, problem) => {
    expect(() => readCase('x.case.json', Buffer.from(text))).toThrow(`x.case.json:${problem}`);
    expect(isCase(JSON.parse(text))).toBe(false);
  });

  test.each(unreadable)('%s', (text, problem) => {
    expect(() => readCase('x.case.json', Buffer.from(text))).toThrow(`x.case.json:${problem}`);
  });
});
