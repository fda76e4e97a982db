import { onTestFinished } from 'vitest';
import type { Worker } from '../../src/kernel/process/worker.ts';

/** Runs a worker until it is stopped, at the latest when the running test is over. */
export function startWorker(worker: Worker): { stop(): Promise<void> } {
  const controller = new AbortController();
  const running = worker.run(controller.signal);
  const stop = async () => {
    controller.abort();
    await running;
  };
  onTestFinished(stop);
  return { stop };
}
