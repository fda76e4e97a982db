import { createRequire } from 'node:module';
import { eventOf, readTask, tellOutcome } from './contender.ts';
import { createPost } from './post-signed.ts';

// BullMQ on Redis. Redis syncs its append-only file to disk once a second.
type Job = { name: string; data: { id: string; body: string }; opts: object };
/** The part of the package that is used here. Only this folder installs it. */
type Bull = {
  Queue: new (name: string, options: object) => { addBulk(jobs: Job[]): Promise<unknown> };
  Worker: new (
    name: string,
    handle: (job: Job) => Promise<void>,
    options: object,
  ) => { on(event: 'completed', tell: () => void): void };
};
const { Queue, Worker }: Bull = createRequire(import.meta.url)('bullmq');
const task = readTask();
const connection = { host: '127.0.0.1', port: Number(task.store), maxRetriesPerRequest: null };
const queue = new Queue('deliveries', { connection });
const post = createPost(task.sink, 64);
const options = {
  removeOnComplete: true,
  attempts: 5,
  backoff: { type: 'exponential', delay: 1_000 },
};

const startedAt = performance.now();
for (let from = 0; from < task.deliveries; from += 500) {
  await queue.addBulk(
    Array.from({ length: 500 }, (_, n) => ({
      name: 'delivery',
      data: { id: `event-${from + n}`, body: eventOf(from + n) },
      opts: options,
    })),
  );
}
const enqueuedPerSecond = task.deliveries / ((performance.now() - startedAt) / 1_000);
await tellOutcome(task, {
  enqueuedPerSecond,
  deliver: () =>
    new Promise((resolve) => {
      let delivered = 0;
      const worker = new Worker('deliveries', async ({ data }) => post(data.id, data.body), {
        connection,
        concurrency: 64,
      });
      worker.on('completed', () => {
        if (++delivered === task.deliveries) resolve();
      });
    }),
});
process.exit(0);
