// A case worker whose cases misbehave, by the first word of their command line.
import { parentPort } from 'node:worker_threads';

parentPort.on('message', ({ args }) => {
  if (args[0] === 'hang') for (;;);
  if (args[0] === 'exit') process.exit(0);
  if (args[0] === 'throw') throw new Error('thrown');
  parentPort.postMessage({
    kind: 'done',
    result: {
      exit: 0,
      stdout: Buffer.from(args[0] === 'random' ? String(Math.random()) : 'fine\n'),
      stderr: '',
      unmatched: [],
      violation: undefined,
      hasWritten: false,
    },
  });
});
parentPort.postMessage({ kind: 'ready' });
