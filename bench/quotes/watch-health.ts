/**
 * Polls an address, one request at a time, until a message from the parent thread stops it. Then it sends back the
 * milliseconds that each answer took.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { request } from 'undici';

/** The first requests also wait for the compiler of this thread. */
const uncounted = 10;
const waits: number[] = [];
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});
while (!isOver) {
  const start = performance.now();
  await (await request(workerData)).body.dump();
  waits.push(performance.now() - start);
  await delay(20);
}
parentPort?.postMessage(waits.slice(uncounted));
