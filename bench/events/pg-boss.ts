import { createRequire } from 'node:module';
import { eventOf, readTask, tellOutcome } from './contender.ts';
import { createPost } from './post-signed.ts';

// pg-boss on a PostgreSQL with fsync on. Loops fetch the jobs, because its own worker polls only twice a second.
type Delivery = { id: string; body: string };
/** The part of the package that is used here. Only this folder installs it. */
type Boss = {
  on(event: 'error', tell: (error: Error) => void): void;
  start(): Promise<unknown>;
  createQueue(name: string): Promise<unknown>;
  insert(jobs: object[]): Promise<unknown>;
  fetch(name: string, options: object): Promise<{ id: string; data: Delivery }[]>;
  complete(name: string, ids: string[]): Promise<unknown>;
};
const PgBoss: new (options: object) => Boss = createRequire(import.meta.url)('pg-boss');
const task = readTask();
const boss = new PgBoss({ connectionString: task.store, schema: 'pgboss' });
boss.on('error', (error) => console.error(error.message));
await boss.start();
await boss.createQueue('deliveries');
const post = createPost(task.sink, 64);

const startedAt = performance.now();
for (let from = 0; from < task.deliveries; from += 500) {
  await boss.insert(
    Array.from({ length: 500 }, (_, n) => ({
      name: 'deliveries',
      data: { id: `event-${from + n}`, body: eventOf(from + n) },
      retryLimit: 5,
      retryBackoff: true,
    })),
  );
}
const enqueuedPerSecond = task.deliveries / ((performance.now() - startedAt) / 1_000);
await tellOutcome(task, {
  enqueuedPerSecond,
  async deliver() {
    let delivered = 0;
    const loop = async () => {
      while (delivered < task.deliveries) {
        const jobs = await boss.fetch('deliveries', { batchSize: 100 });
        if (jobs.length === 0) return;
        await Promise.all(jobs.map(({ data }) => post(data.id, data.body)));
        await boss.complete(
          'deliveries',
          jobs.map(({ id }) => id),
        );
        delivered += jobs.length;
      }
    };
    await Promise.all(Array.from({ length: 4 }, loop));
  },
});
process.exit(0);
