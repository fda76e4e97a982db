import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPostgresDatabase } from '../../tests/support/create-postgres-database.ts';
import { startPostgres } from '../../tests/support/start-postgres.ts';
import { type LatencyOutcome, type Outcome, quantile, type Task } from './contender.ts';

// Compares our signed, durable deliveries with job queues that people use for webhooks, and with signed posts without a
// store. All contenders send structured CloudEvents to a sink in another process. Each contender runs in its own
// process, one after another.

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** Fewer for matching, because each round creates a million subscriptions. */
const matchingRounds = 2;
const run = promisify(execFile);
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const directory = mkdtempSync(join(tmpdir(), 'tradewind-bench-'));
const postgres = await startPostgres({ isDurable: true });
const redis = await startRedis();
const sink = await startSink();
let stores = 0;
const newFile = async () => join(directory, `store-${++stores}`);
const newDatabase = () => createPostgresDatabase(postgres.url);

try {
  await compare(
    '100 subscriptions',
    { subscriptions: 100, deliveries: 30_000, mode: 'STRUCTURED' },
    [
      ['raw undici, no store', 'raw.ts', async () => ''],
      ['tradewind, file', 'tradewind.ts', newFile],
      ['tradewind, PostgreSQL', 'tradewind.ts', newDatabase],
      ['BullMQ, Redis', 'bullmq.ts', async () => String(redis.port)],
      ['pg-boss, PostgreSQL', 'pg-boss.ts', newDatabase],
    ],
  );
  await compare(
    'one subscription, in order',
    { subscriptions: 1, deliveries: 10_000, mode: 'STRUCTURED' },
    [
      ['raw undici, one at a time', 'raw.ts', async () => ''],
      ['tradewind, file', 'tradewind.ts', newFile],
      ['tradewind, PostgreSQL', 'tradewind.ts', newDatabase],
    ],
  );
  await compare('batch mode', { subscriptions: 10, deliveries: 200_000, mode: 'BATCH' }, [
    ['tradewind, file', 'tradewind.ts', newFile],
    ['tradewind, PostgreSQL', 'tradewind.ts', newDatabase],
  ]);
  const paced = { before: 1_000, events: 1_000 };
  await time('publish to receipt, an event every 10 ms', 'latency.ts', rounds, [
    ['PostgreSQL', newDatabase, { ...paced, others: 'none' }],
    ['file', newFile, { ...paced, others: 'none' }],
    ['file, beside 200 healthy endpoints', newFile, { ...paced, others: 'healthy' }],
    ['file, beside 200 that have just died', newFile, { ...paced, others: 'failing' }],
  ]);
  // Measured half a minute later, when the code is compiled. All cases run at the same time, because other load on the
  // machine and its disk changes the p99 more than dead endpoints do, and so it affects all of them.
  const later = { before: 3_000, events: 2_000 };
  await time(
    'the same, three servers side by side',
    'latency.ts',
    rounds,
    [
      ['file', newFile, { ...later, others: 'none' }],
      ['file, beside 200 healthy endpoints', newFile, { ...later, others: 'healthy' }],
      ['file, beside 200 dead endpoints', newFile, { ...later, others: 'failing' }],
    ],
    { isTogether: true },
  );
  await time('to match, store and queue 50 events', 'matching.ts', matchingRounds, [
    ['file, 1,000 subscriptions', newFile, { subscriptions: 1_000 }],
    ['file, 1,000,000 subscriptions', newFile, { subscriptions: 1_000_000 }],
    ['PostgreSQL, 1,000 subscriptions', newDatabase, { subscriptions: 1_000 }],
    ['PostgreSQL, 1,000,000 subscriptions', newDatabase, { subscriptions: 1_000_000 }],
  ]);
} finally {
  sink.stop();
  redis.stop();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}

type Contender = readonly [name: string, script: string, newStore: () => Promise<string>];

/** Runs every contender once a round, in turn, and prints the medians. A share compares contenders of the same round. */
async function compare(
  title: string,
  shape: Pick<Task, 'subscriptions' | 'deliveries' | 'mode'>,
  contenders: readonly Contender[],
): Promise<void> {
  const outcomes = contenders.map((): Outcome[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, [, script, newStore]] of contenders.entries()) {
      const task: Task = { ...shape, sink: sink.url, store: await newStore() };
      const { stdout } = await run(process.execPath, [pathOf(script), JSON.stringify(task)]);
      outcomes[index]?.push(JSON.parse(stdout));
    }
  }
  const limits = outcomes[0] ?? [];
  console.log(`\n${title}: ${shape.deliveries} deliveries, load ${loadavg()[0]?.toFixed(1)}`);
  console.table(
    Object.fromEntries(
      contenders.map(([name], index) => {
        const own = outcomes[index] ?? [];
        const medianOf = (read: (outcome: Outcome, round: number) => number) =>
          quantile(own.map(read), 0.5);
        const share = (outcome: Outcome, round: number) =>
          (100 * outcome.deliveredPerSecond) / (limits[round]?.deliveredPerSecond ?? 1);
        return [
          name,
          {
            'deliveries/s': Math.round(medianOf((outcome) => outcome.deliveredPerSecond)),
            'of the first': `${Math.round(medianOf(share))} %`,
            'ms processor/delivery': medianOf((outcome) => outcome.cpuMsPerDelivery).toFixed(3),
            'ms of its thread': medianOf((outcome) => outcome.threadMsPerDelivery).toFixed(3),
            'enqueued/s': Math.round(medianOf((outcome) => outcome.enqueuedPerSecond ?? 0)),
            MB: Math.round(medianOf((outcome) => outcome.rssMb)),
          },
        ];
      }),
    ),
  );
}

type Case = readonly [name: string, newStore: () => Promise<string>, shape: object];

/** Runs every case once a round, in turn or all at once, and prints the medians. */
async function time(
  title: string,
  script: string,
  rounds: number,
  cases: readonly Case[],
  { isTogether = false } = {},
): Promise<void> {
  const outcomes: LatencyOutcome[][] = [];
  for (let round = 0; round < rounds; round++) {
    const running: Promise<LatencyOutcome>[] = [];
    for (const one of cases) {
      running.push(runCase(script, one));
      if (!isTogether) await running.at(-1);
    }
    outcomes.push(await Promise.all(running));
  }
  tellTimes(title, cases, outcomes);
}

async function runCase(script: string, [, newStore, shape]: Case): Promise<LatencyOutcome> {
  const task = JSON.stringify({ ...shape, store: await newStore() });
  const { stdout } = await run(process.execPath, [pathOf(script), task]);
  return JSON.parse(stdout);
}

/** `outcomes` has a list for each round, in the order of the cases. */
function tellTimes(
  title: string,
  cases: readonly Case[],
  outcomes: readonly LatencyOutcome[][],
): void {
  console.log(`\n${title}, load ${loadavg()[0]?.toFixed(1)}`);
  console.table(
    Object.fromEntries(
      cases.map(([name], index) => {
        const own = outcomes.flatMap((ofRound) => ofRound[index] ?? []);
        const medianOf = (read: (outcome: LatencyOutcome) => number) =>
          quantile(own.map(read), 0.5);
        return [
          name,
          {
            'p50 ms': medianOf(({ p50 }) => p50).toFixed(1),
            'p90 ms': medianOf(({ p90 }) => p90).toFixed(1),
            'p99 ms': medianOf(({ p99 }) => p99).toFixed(1),
            'ms processor/event': medianOf(({ cpuMsPerEvent }) => cpuMsPerEvent).toFixed(3),
            MB: Math.round(medianOf(({ rssMb }) => rssMb)),
          },
        ];
      }),
    ),
  );
}

async function startSink() {
  const child = fork(pathOf('sink.ts'), { execArgv: [] });
  const [port] = await once(child, 'message');
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

async function startRedis() {
  const port = await findFreePort();
  const child = spawn(
    'redis-server',
    [
      '--port',
      String(port),
      '--appendonly',
      'yes',
      '--appendfsync',
      'everysec',
      '--dir',
      directory,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for await (const chunk of child.stdout) {
    if (String(chunk).includes('Ready to accept connections')) break;
  }
  return { port, stop: () => child.kill() };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}
