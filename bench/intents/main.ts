// How often the rules of `thread anaphora` read a question as a person does. usage: node bench/run.js intents [FILE] [-v]
import { readFileSync } from 'node:fs';
import { derivedSubject } from '../../src/anaphora/derived-subject.js';
import { readIntent } from '../../src/anaphora/intent.js';
import { normaliseSubject } from '../../src/anaphora/thread-context.js';

interface Labelled {
  readonly question: string;
  /** Subjects of earlier turns, for pronouns. */
  readonly known?: readonly string[];
  readonly intent: string;
  readonly subject: string | null;
}

const [file = 'test/data/intents.jsonl'] = process.argv.slice(3).filter((one) => one !== '-v');
const labelled: readonly Labelled[] = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));
const results = labelled.map(({ question, known = [], intent, subject }) => {
  const found = { intent: readIntent(question).intent, subject: derivedSubject(question, known).name };
  const isSameSubject = normaliseSubject(found.subject ?? '') === normaliseSubject(subject ?? '');
  return {
    question,
    intent,
    subject,
    found,
    isIntentRight: found.intent === intent,
    isSubjectRight: isSameSubject,
  };
});
const intents = [...new Set(labelled.map(({ intent }) => intent))];
print(row('intent', 'questions', 'intent right', 'subject right'));
for (const intent of intents)
  print(
    score(
      intent,
      results.filter((one) => one.intent === intent),
    ),
  );
print(score('all', results));
if (process.argv.includes('-v'))
  for (const { question, intent, subject, found, isIntentRight, isSubjectRight } of results)
    if (!isIntentRight || !isSubjectRight)
      print(`${question}\n  is ${intent}, ${subject}; read as ${found.intent}, ${found.subject}`);

function score(name: string, of: typeof results): string {
  const share = (right: number): string => `${((100 * right) / of.length).toFixed(1)} %`;
  return row(
    name,
    String(of.length),
    share(of.filter(({ isIntentRight }) => isIntentRight).length),
    share(of.filter(({ isSubjectRight }) => isSubjectRight).length),
  );
}

function row(...cells: readonly string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(20) : cell.padStart(15))).join('');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
