// How well the embedded planner finds what a follow-up question needs; or training its model.
// usage: node bench/run.js resolve [FOLDER]
//        node bench/run.js resolve train [FOLDER [MODEL]]
import { existsSync } from 'node:fs';
import { measurePlanner } from './measure.js';
import { train } from './train.js';

const [command, ...rest] = process.argv.slice(3);
const isTraining = command === 'train';
const folder = (isTraining ? rest[0] : command) ?? '../shared/resolve';
if (!existsSync(folder)) throw new Error(`no data at ${folder}: name its folder`);
if (isTraining) train(folder, rest[1] ?? 'src/query/planners/embedded/model.json');
else measurePlanner(folder);
