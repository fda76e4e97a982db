/**
 * Asks an address now and then, one request at a time, until it is told to stop; then tells the milliseconds that each
 * answer took.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { request } from 'undici';

/** The first ones wait for the compiler of this thread too. */
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
