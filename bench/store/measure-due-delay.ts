import type { Database } from '../../src/kernel/database/database.ts';
import { kernelMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { scheduleWork } from '../../src/kernel/work/work.ts';
import { createWorkWorker } from '../../src/kernel/work/work-worker.ts';

const pieces = 200;
const spread = 3_000;

/** Milliseconds between the due time and the start of scheduled work, sorted. The work is spread over three seconds. */
export async function measureDueDelay(database: Database): Promise<number[]> {
  await migrate(database, kernelMigrations);
  const delays: number[] = [];
  const stop = new AbortController();
  const worker = createWorkWorker({
    ...{ database, clock: systemClock, random: systemRandom },
    name: 'bench',
    kinds: ['bench'],
    async handle({ dueAt }) {
      delays.push(Date.now() - dueAt);
      if (delays.length === pieces) stop.abort();
    },
  });
  const running = worker.run(stop.signal);
  await database.transaction(async (tx) => {
    const start = Date.now() + 500;
    for (let n = 0; n < pieces; n++) {
      const dueAt = start + Math.round((n * spread) / pieces);
      await scheduleWork(tx, { kind: 'bench', key: String(n), payload: null, dueAt });
    }
  });
  await running;
  return delays.sort((a, b) => a - b);
}
