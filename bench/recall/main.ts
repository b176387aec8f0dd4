// How well recall finds what a question needs: published questions over their passages, and real sessions over what
// `thread compact` took out of them; and how fast it looks through many sessions.
// usage: node bench/run.js recall [--sessions=N] [--folder=SESSIONS] [SHARED]
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureNeededLines } from './needed-lines.js';
import { measureQuestions } from './questions.js';
import { measureThroughput } from './throughput.js';

const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  options: { sessions: { type: 'string', default: '50' }, folder: { type: 'string' } },
  allowPositionals: true,
});
const [shared = '../shared'] = positionals;
if (!existsSync(shared)) throw new Error(`no data at ${shared}: name its folder`);
await measureQuestions(join(shared, 'resolve'));
await measureNeededLines(join(shared, 'corpus'));
const generator = join(shared, 'bench', 'generate-transcript.mjs');
await measureThroughput(generator, Number(values.sessions), values.folder);
