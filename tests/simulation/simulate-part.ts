import { parentPort, workerData } from 'node:worker_threads';
import { type ExploreOptions, explore } from './explore.ts';

/** Reports its progress once in so many runs. */
const runsBetweenReports = 1_000;

const options: ExploreOptions = workerData;
let runs = 0;

/** The work of one thread: a part of the runs. Posts the result to the main thread. */
parentPort?.postMessage(
  await explore({
    ...options,
    onRun() {
      runs += 1;
      if (runs % runsBetweenReports === 0)
        console.log(`${runs} of ${options.runs} runs from seed ${options.seed}`);
    },
  }),
);
