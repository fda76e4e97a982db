/**
 * Compares one process with four (T12). Both clusters run at the same time, each on its own PostgreSQL, and take turns with
 * parts of each load. So other load on the machine affects both, and the ratio shows what four processes cost.
 *
 * Run: node bench/scale/beside.ts. Linux only. BENCH_PROCESSES=1,4 BENCH_NATS=off BENCH_PARTS=8 BENCH_RECEIVERS=24
 * BENCH_RATE=50 BENCH_LOADS=delivery,token,quote set the amounts. Callers, rate and operations are per process, so that the
 * background work of a process is divided by the same number of operations in either cluster.
 */
import { loadavg } from 'node:os';
import { deployByCreate2 } from '../../src/devchain/evm/transactions.ts';
import { executorBuilds } from '../../src/swap/executor/executor-builds.ts';
import { startPostgres } from '../../tests/support/start-postgres.ts';
import { openSeededChain } from '../quotes/open-seeded-chain.ts';
import { type Load, openDeliveries, openQuotes, openSink, openTokens } from './loads.ts';
import { openCluster, type Used } from './open-cluster.ts';

const words = (name: string, usual: string) => (process.env[name] ?? usual).split(',');
const counts = words('BENCH_PROCESSES', '1,4').map(Number);
const hasNats = process.env.BENCH_NATS === 'on';
const parts = Number(process.env.BENCH_PARTS ?? 8);
const receivers = Number(process.env.BENCH_RECEIVERS ?? 24);
/** For each process, like the number of callers. */
const perSecond = Number(process.env.BENCH_RATE ?? 50);
/** The operations of the warm-up and those of one part, for each process. */
const amounts: Record<string, readonly [number, number]> = {
  delivery: [300, 100],
  token: [1_500, 400],
  quote: [60, 39],
};

const chain = await openSeededChain(7);
for (const { deploymentData } of executorBuilds) await deployByCreate2(chain.evm, deploymentData);
const clusters: Awaited<ReturnType<typeof open>>[] = [];
for (const processes of counts) clusters.push(await open(processes));

const rows = [];
console.log(`Load of the machine at the start: ${loadavg()[0]?.toFixed(1)}`);
for (const load of words('BENCH_LOADS', 'delivery,token,quote')) {
  const [warmUp = 0, part = 1] = amounts[load] ?? [];
  const runs: Load[] = [];
  for (const { urls, processes, sink } of clusters) {
    const run = await openLoad(load, { urls, sink });
    await run(warmUp * processes);
    runs.push(run);
  }
  const sums = clusters.map((): Used => ({ processes: 0, database: 0, nats: 0, transactions: 0 }));
  for (let n = 0; n < parts; n++) {
    for (const [index, { cluster, processes }] of clusters.entries()) {
      const before = await cluster.read();
      await runs[index]?.(part * processes);
      const after = await cluster.read();
      sums[index] = add(sums[index], before, after);
    }
  }
  const all = sums.map(
    ({ processes, database, nats }, index) =>
      (processes + database + nats) / (clusters[index]?.processes ?? 1),
  );
  for (const [index, { processes }] of clusters.entries()) {
    const each = (name: keyof Used) =>
      round((sums[index]?.[name] ?? 0) / (parts * part * processes));
    rows.push({
      operation: load,
      processes,
      'ms of processes': each('processes'),
      'of the database': each('database'),
      'of NATS': each('nats'),
      transactions: each('transactions'),
      'of the first': round((all[index] ?? 0) / (all[0] ?? 1)),
    });
    console.log(JSON.stringify(rows.at(-1)));
  }
}
console.table(rows);
console.log(`Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`);
for (const { cluster, sink, postgres } of clusters) {
  await cluster.stop();
  sink.close();
  await postgres.stop();
}
await chain.close();
process.exit();

async function open(processes: number) {
  const postgres = await startPostgres();
  const sink = await openSink();
  const cluster = await openCluster({
    processes,
    hasNats,
    postgresUrl: postgres.url,
    rpcUrl: chain.server.url,
    receiver: sink.origin,
  });
  return { processes, postgres, sink, cluster, urls: cluster.urls };
}

async function openLoad(
  load: string,
  { urls, sink }: { urls: readonly string[]; sink: Awaited<ReturnType<typeof openSink>> },
): Promise<Load> {
  if (load === 'delivery') {
    const rate = perSecond * urls.length;
    return (await openDeliveries(urls, { sink, receivers, perSecond: rate })).run;
  }
  return load === 'token' ? openTokens(urls) : openQuotes(urls);
}

function add(sum: Used | undefined, before: Used, after: Used): Used {
  const grown = (name: keyof Used) => (sum?.[name] ?? 0) + after[name] - before[name];
  return {
    processes: grown('processes'),
    database: grown('database'),
    nats: grown('nats'),
    transactions: grown('transactions'),
  };
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
