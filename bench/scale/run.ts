/**
 * What an operation costs with one process and with several on one PostgreSQL, with and without NATS: processor time of
 * all processes, the database and NATS, divided by the operations (T12). The servers are real processes, called over HTTP
 * in turn. Deliveries run at a steady rate. A few callers request tokens and quotes, each one after another.
 *
 * Run: node bench/scale/run.ts. Linux only. BENCH_PROCESSES=1,4 BENCH_NATS=off,on BENCH_ROUNDS=3 BENCH_EVENTS=1200
 * BENCH_LOADS=delivery,token,quote set the amounts. An idle second is the cost of all processes without any request.
 */
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { deployByCreate2 } from '../../src/devchain/evm/transactions.ts';
import { executorBuilds } from '../../src/swap/executor/executor-builds.ts';
import { startPostgres } from '../../tests/support/start-postgres.ts';
import { openSeededChain } from '../quotes/open-seeded-chain.ts';
import { type Load, openDeliveries, openQuotes, openSink, openTokens } from './loads.ts';
import { type Cluster, openCluster, type Used } from './open-cluster.ts';

const words = (name: string, usual: string) => (process.env[name] ?? usual).split(',');
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const counts = words('BENCH_PROCESSES', '1,2,4').map(Number);
const events = Number(process.env.BENCH_EVENTS ?? 1_200);
const perSecond = Number(process.env.BENCH_RATE ?? 200);
const receivers = Number(process.env.BENCH_RECEIVERS ?? 24);
const wanted = words('BENCH_LOADS', 'delivery,token,quote,idle second');
/** `warmUp` is for each process, so that its code is compiled: a cold process costs several times as much. */
const amounts: Record<string, { readonly warmUp: number; readonly measured: number }> = {
  delivery: { warmUp: events, measured: events },
  token: { warmUp: 2_000, measured: 4_000 },
  quote: { warmUp: 60, measured: 300 },
  'idle second': { warmUp: 1, measured: 10 },
};

type Row = { load: string; natsState: string; count: number } & Used;
const rows: Row[] = [];

const postgres = await startPostgres();
const sink = await openSink();
const chain = await openSeededChain(7);
for (const { deploymentData } of executorBuilds) await deployByCreate2(chain.evm, deploymentData);
console.log(`Load of the machine at the start: ${loadavg()[0]?.toFixed(1)}`);
try {
  for (const nats of words('BENCH_NATS', 'off,on')) {
    for (let round = 0; round < rounds; round++) {
      for (const processes of counts) await measureCluster(processes, nats);
    }
  }
} finally {
  sink.close();
  await chain.close();
  await postgres.stop();
}
console.table(toTable());
console.log(`Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`);
process.exit();

async function measureCluster(processes: number, nats: string): Promise<void> {
  const cluster = await openCluster({
    processes,
    hasNats: nats === 'on',
    postgresUrl: postgres.url,
    rpcUrl: chain.server.url,
    receiver: sink.origin,
  });
  const { urls } = cluster;
  try {
    for (const load of wanted) {
      const { run, repeated } = await openLoad(load, urls);
      const used = await measure(cluster, run, { processes, ...(amounts[load] ?? amounts.token) });
      rows.push({ load, natsState: nats, count: processes, ...used });
      const again = repeated === undefined ? '' : `, ${repeated()} requests repeated`;
      console.log(`${load}, NATS ${nats}, ${processes}: ${JSON.stringify(used)}${again}`);
    }
  } finally {
    await cluster.stop();
  }
}

async function openLoad(
  load: string,
  urls: readonly string[],
): Promise<{ run: Load; repeated?(): number }> {
  if (load === 'delivery') return openDeliveries(urls, { sink, receivers, perSecond });
  if (load === 'idle second') return { run: (seconds) => delay(seconds * 1_000) };
  return { run: load === 'token' ? await openTokens(urls) : openQuotes(urls) };
}

/** The cost of one operation. */
async function measure(
  cluster: Cluster,
  run: Load,
  amount: { readonly processes: number; readonly warmUp?: number; readonly measured?: number },
): Promise<Used> {
  const { processes, warmUp = 0, measured = 1 } = amount;
  await run(warmUp * processes);
  const before = await cluster.read();
  await run(measured);
  const after = await cluster.read();
  const each = (name: keyof Used) => round((after[name] - before[name]) / measured);
  return {
    processes: each('processes'),
    database: each('database'),
    nats: each('nats'),
    transactions: each('transactions'),
  };
}

function toTable(): object[] {
  const groups = Map.groupBy(rows, ({ load, natsState, count }) => `${load} ${natsState} ${count}`);
  const costs = [...groups.values()].map((group) => {
    const [first] = group;
    const median = (name: keyof Used) =>
      group.map((row) => row[name]).toSorted((a, b) => a - b)[Math.floor(group.length / 2)] ?? 0;
    const used = (['processes', 'database', 'nats'] as const).map(median);
    return { first, used, all: used.reduce((a, b) => a + b, 0), wakes: median('transactions') };
  });
  return costs.map(({ first, used, all, wakes }) => {
    const one = costs.find(
      (other) =>
        other.first?.load === first?.load &&
        other.first?.natsState === first?.natsState &&
        other.first?.count === 1,
    );
    return {
      operation: first?.load,
      NATS: first?.natsState,
      processes: first?.count,
      'ms of processes': used[0],
      'of the database': used[1],
      'of NATS': used[2],
      transactions: wakes,
      'of one process': one === undefined ? '' : round(all / one.all),
    };
  });
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
