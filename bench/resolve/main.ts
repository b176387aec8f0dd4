// How well the embedded planner finds what a follow-up question needs; or training its model.
// usage: node bench/run.js resolve [FOLDER]
//        node bench/run.js resolve train [FOLDER [MODEL]]
//        node bench/run.js resolve train-mode [FOLDER [MODEL]]
import { existsSync } from 'node:fs';
import { measurePlanner } from './measure.js';
import { retrainMode, train } from './train.js';

const [command, ...rest] = process.argv.slice(3);
const trainers = new Map([
  ['train', train],
  ['train-mode', retrainMode],
]);
const trainer = trainers.get(command ?? '');
const folder = (trainer === undefined ? command : rest[0]) ?? '../shared/resolve';
if (!existsSync(folder)) throw new Error(`no data at ${folder}: name its folder`);
if (trainer === undefined) measurePlanner(folder);
else trainer(folder, rest[1] ?? 'src/query/planners/embedded/model.json');
