// How well recall finds what a question needs: published questions over their passages, and real sessions over what
// `thread compact` took out of them. usage: node bench/run.js recall [RESOLVE-FOLDER [CORPUS]]
import { existsSync } from 'node:fs';
import { measureNeededLines } from './needed-lines.js';
import { measureQuestions } from './questions.js';

const [resolveFolder = '../shared/resolve', corpus = '../shared/corpus'] = process.argv.slice(3);
for (const folder of [resolveFolder, corpus])
  if (!existsSync(folder)) throw new Error(`no data at ${folder}: name its folder`);
await measureQuestions(resolveFolder);
await measureNeededLines(corpus);
