import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { createPostgresDatabase } from '../../tests/support/create-postgres-database.ts';
import { startPostgres } from '../../tests/support/start-postgres.ts';
import { type Contender, type Measurement, measure } from './measure.ts';
import { measureDueDelay } from './measure-due-delay.ts';
import { openRawPostgres } from './raw-postgres.ts';
import { openRawSqlite } from './raw-sqlite.ts';
import {
  createPortOperations,
  queueLength,
  rowsClaimed,
  type StoreOperations,
} from './store-operations.ts';

const rowsRead = 1_000;
const rowsBatched = 100;
let lastId = 0;
const nextId = () => `note ${++lastId}`;

type ToRun = (store: StoreOperations) => Promise<Omit<Contender, 'name'>>;

const operations: Readonly<Record<string, ToRun>> = {
  'durable write, 1 at a time': async (store) => ({
    operations: 1,
    run: () => store.write(nextId()),
  }),
  'durable write, 64 at once': async (store) => ({
    operations: 64,
    run: () => together(64, () => store.write(nextId())),
  }),
  [`batch of ${rowsBatched} rows, per row`]: async (store) => ({
    operations: rowsBatched,
    run: () => store.writeBatch(Array.from({ length: rowsBatched }, nextId)),
  }),
  'point read, 1 at a time': async (store) => {
    const ids = await writeRows(store);
    return {
      operations: rowsRead,
      async run() {
        for (const id of ids) await store.read(id);
      },
    };
  },
  'point read, 64 at once': async (store) => {
    const ids = (await writeRows(store)).slice(0, 64);
    return {
      operations: ids.length,
      async run() {
        await Promise.all(ids.map((id) => store.read(id)));
      },
    };
  },
  [`claim of ${rowsClaimed} queue rows`]: async (store) => {
    let left = 0;
    return {
      operations: 1,
      async run() {
        if (left === 0) {
          await store.resetQueue();
          left = queueLength / rowsClaimed;
        }
        left -= 1;
        await store.claim('me');
      },
    };
  },
};

const directory = mkdtempSync(join(tmpdir(), 'tradewind-bench-'));
const server = await startPostgres({ isDurable: true });
try {
  const embedded = await openDatabase({ dataDir: join(directory, 'port') });
  await compare('SQLite file', [
    await createPortOperations(embedded),
    openRawSqlite(join(directory, 'raw.db')),
  ]);
  printDelays(await measureDueDelay(embedded));
  await embedded.close();

  const url = await createPostgresDatabase(server.url);
  const remote = await openDatabase({ dataDir: '', url });
  const raw = await openRawPostgres(await createPostgresDatabase(server.url));
  await compare('PostgreSQL', [await createPortOperations(remote), raw]);
  printDelays(await measureDueDelay(remote));
  await remote.close();
  await raw.close();
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function compare(engine: string, stores: readonly StoreOperations[]): Promise<void> {
  console.log(`\n${engine.padEnd(47)} operations/s     against raw, processor µs each`);
  for (const [title, toRun] of Object.entries(operations)) {
    const contenders: Contender[] = [];
    for (const store of stores) contenders.push({ name: store.name, ...(await toRun(store)) });
    print(title, await measure(contenders));
  }
}

function print(title: string, measurements: readonly Measurement[]): void {
  const baseline = measurements.at(-1)?.perSecond ?? Number.NaN;
  for (const { name, perSecond, cpuMicroseconds } of measurements) {
    const rate = Math.round(perSecond).toLocaleString('en').padStart(12);
    const times = `${(perSecond / baseline).toFixed(2)}×`.padStart(8);
    const cpu = cpuMicroseconds.toFixed(1).padStart(10);
    console.log(title.padEnd(30), name.padEnd(16), rate, times, cpu);
  }
}

function printDelays(delays: readonly number[]): void {
  const at = (part: number) => delays[Math.floor((delays.length - 1) * part)];
  console.log(`due work starts after (ms): p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`);
}

async function writeRows(store: StoreOperations): Promise<string[]> {
  const ids = Array.from({ length: rowsRead }, nextId);
  await store.writeBatch(ids);
  return ids;
}

async function together(count: number, ask: () => Promise<void> | void): Promise<void> {
  await Promise.all(Array.from({ length: count }, ask));
}
