import { parentPort, workerData } from 'node:worker_threads';
import { type ExploreOptions, explore } from './explore.ts';

/** The work of one thread: a part of the runs. Answers what it found. */
parentPort?.postMessage(await explore(workerData as ExploreOptions));
