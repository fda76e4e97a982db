import { once } from 'node:events';
import { loadavg } from 'node:os';
import { Worker } from 'node:worker_threads';
import { deployByCreate2 } from '../../src/devchain/evm/transactions.ts';
import { executorBuilds } from '../../src/swap/executor/executor-builds.ts';
import { trades } from '../routing/mainnet-like-pools.ts';
import type { MeasuredServer } from '../server/start-server.ts';
import { measureBareServer } from './measure-bare-server.ts';
import { askOutput, askPrice, askQuote, serveChain } from './measure-server.ts';
import { openSeededChain } from './open-seeded-chain.ts';

/*
 * Processor time of the server for a warm quote and for a price [Q31], how many it answers in a second, and the latency of
 * `/health` beside them, on a chain with the pools of the routing benchmark and our executor. The node runs in this process
 * and caches its answers, so that its work is neither counted nor waited for. Each kind of request runs three times: to let
 * the compiler settle, for its processor time, and beside requests of `/health`. Needs no peers.
 * Run: node bench/quotes/processor-time.ts (Node.js 24, Linux).
 */

const rounds = Number(process.env.ROUNDS ?? 40);
/** Set fewer if the machine has other work, else the node may not answer within the timeout of a quote. */
const callers = Number(process.env.CALLERS ?? 8);

/**
 * Each kind of request with a new amount, which needs a search, and with a known one. `ONLY` limits the run to requests whose
 * name begins with it, for a profile of these alone.
 */
const asked = (
  [
    { what: 'quote of a new amount', ask: askQuote, isNew: true, times: 1 },
    { what: 'quote of a known amount', ask: askQuote, isNew: false, times: 2 },
    { what: 'price of a new amount', ask: askPrice, isNew: true, times: 5 },
    { what: 'price of a known amount', ask: askPrice, isNew: false, times: 5 },
    { what: 'price of a new output', ask: askOutput, isNew: true, times: 1 },
  ] as const
).filter(({ what }) => what.startsWith(process.env.ONLY ?? ''));
/** What each run adds to the amounts of the trades, so that no run asks for an amount of another. */
const amounts = { warmUp: 0, processorTime: 1_000_000, health: 2_000_000 };
console.log(`Load of the machine at the start: ${loadavg()[0]?.toFixed(1)}`);
const chain = await openSeededChain(7, { remembers: true });
for (const { deploymentData } of executorBuilds) await deployByCreate2(chain.evm, deploymentData);
let server = await serveChain(chain);
try {
  await warmUp();
  // The first server fills the node's cache. For the second one every amount is new, but no answer of the node takes time.
  for (const each of asked.filter(({ ask }) => ask === askQuote)) {
    for (const more of Object.values(amounts)) await askAll(each, { more });
  }
  await server.stop();
  server = await serveChain(chain);
  await warmUp();
  const rows = [];
  for (const each of asked) rows.push({ what: each.what, ...(await measure(server, each)) });
  console.table(rows);
  const bare = await measureBareServer(callers);
  console.log(
    `A server of Node.js alone takes ${round(bare)} ms of processor time a request here.`,
  );
  console.log(`Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await server.stop();
  await chain.close();
}

type Asked = Omit<(typeof asked)[number], 'isNew'> & { readonly isNew: boolean };

/** On a busy machine the node's first answers exceed the server's timeout. A retry finds them in the node's cache. */
async function warmUp(): Promise<void> {
  for (const trade of trades) {
    for (let attempt = 1; ; attempt++) {
      const failure = await askQuote(server.url, trade).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) break;
      if (attempt === 20) throw failure;
    }
  }
}

async function askAll({ ask, isNew, times }: Asked, { more }: { more: number }): Promise<number> {
  const waiting = Array.from({ length: rounds * times }, (_, index) =>
    trades.map((trade) => ({ trade, units: isNew ? more + index + 1 : 0 })),
  ).flat();
  const { length } = waiting;
  const call = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      await ask(server.url, next.trade, next.units);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return length;
}

async function measure({ readCpuMs }: MeasuredServer, each: Asked) {
  await askAll(each, { more: amounts.warmUp });
  const cpuBefore = readCpuMs();
  const start = performance.now();
  const count = await askAll(each, { more: amounts.processorTime });
  const elapsed = performance.now() - start;
  const cpu = readCpuMs() - cpuBefore;
  const health = watchHealth();
  await askAll(each, { more: amounts.health });
  const waits = (await health.stop()).toSorted((left, right) => left - right);
  const quantile = (part: number) => round(waits[Math.floor(waits.length * part)] ?? Number.NaN);
  return {
    'processor ms each': round(cpu / count),
    'a second of processor time': round((1_000 * count) / cpu),
    [`a second, ${callers} callers`]: round((1_000 * count) / elapsed),
    '/health p50 ms': quantile(0.5),
    '/health p99 ms': quantile(0.99),
  };
}

/** Polls `/health` until it is stopped, on its own thread, because this one runs the callers and the node. */
function watchHealth() {
  const watcher = new Worker(new URL('./watch-health.ts', import.meta.url), {
    workerData: `${server.url}/health`,
  });
  return {
    async stop(): Promise<readonly number[]> {
      watcher.postMessage('stop');
      const [waits] = await once(watcher, 'message');
      return waits;
    },
  };
}

function round(number: number): number {
  return Number(number.toPrecision(3));
}
