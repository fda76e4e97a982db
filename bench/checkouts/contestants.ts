import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import type { Outcome } from '../events/contender.ts';
import { trades } from '../routing/mainnet-like-pools.ts';

/** How many requests are under way at once. */
export const hands = 16;

/** A server of one checkout, started by the code of that checkout's own benchmarks. */
export type Contestant = {
  /** Makes one request. Each of the concurrent callers has a number, its `hand`. */
  call(hand: number): Promise<unknown>;
  /** Processor time of the server until now. */
  readMs(): Promise<number>;
  stop(): Promise<void>;
};

const pathOf = (checkout: string, file: string) => join(resolve(checkout), 'bench', file);

/** The operations by which the servers are compared. */
export const contestants: Readonly<Record<string, (checkout: string) => Promise<Contestant>>> = {
  edge: openEdge,
  discovery: (checkout) => openAuthorization(checkout, 'discovery'),
  token: (checkout) => openAuthorization(checkout, 'client credentials'),
  refresh: (checkout) => openAuthorization(checkout, 'refresh'),
  quote: (checkout) => openQuotes(checkout, { asks: 'askQuote', isNew: false }),
  'new quote': (checkout) => openQuotes(checkout, { asks: 'askQuote', isNew: true }),
  price: (checkout) => openQuotes(checkout, { asks: 'askPrice', isNew: false }),
  'new price': (checkout) => openQuotes(checkout, { asks: 'askPrice', isNew: true }),
};

/** A request that the edge passes to a service with a constant answer. */
async function openEdge(checkout: string): Promise<Contestant> {
  const server = fork(pathOf(checkout, 'edge/server.ts'), ['edge']);
  const [{ port }] = await once(server, 'message');
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: hands });
  return {
    call: async () => (await pool.request({ path: '/status', method: 'GET' })).body.dump(),
    async readMs() {
      server.send('cpu');
      const [{ cpu }] = await once(server, 'message');
      return (cpu.user + cpu.system) / 1_000;
    },
    async stop() {
      await pool.close();
      server.kill();
    },
  };
}

async function openAuthorization(checkout: string, operation: string): Promise<Contestant> {
  const { startTradewind }: typeof import('../authorization/start-contestant.ts') = await import(
    pathOf(checkout, 'authorization/start-contestant.ts')
  );
  const { operations }: typeof import('../authorization/operations.ts') = await import(
    pathOf(checkout, 'authorization/operations.ts')
  );
  const server = await startTradewind();
  const pool = new Pool(new URL(server.url).origin, { connections: hands });
  const call = await operations[operation]?.(server, pool);
  if (call === undefined) throw new Error(`${checkout} does not measure ${operation}.`);
  return {
    call,
    readMs: async () => server.readCpuMs(),
    async stop() {
      await pool.close();
      await server.stop();
    },
  };
}

/**
 * Warm quotes or prices over the pools of the routing benchmark, through Uniswap's routers. The amounts are either known to
 * the server or new. Each new amount needs a search.
 */
async function openQuotes(
  checkout: string,
  { asks, isNew }: { readonly asks: 'askQuote' | 'askPrice'; readonly isNew: boolean },
): Promise<Contestant> {
  const { openSeededChain }: typeof import('../quotes/open-seeded-chain.ts') = await import(
    pathOf(checkout, 'quotes/open-seeded-chain.ts')
  );
  const { serveChain, ...questions }: typeof import('../quotes/measure-server.ts') = await import(
    pathOf(checkout, 'quotes/measure-server.ts')
  );
  const ask = questions[asks];
  // An older checkout may lack this function.
  if (ask === undefined) throw new Error(`${checkout} has no ${asks}.`);
  const chain = await openSeededChain(7);
  const server = await serveChain(chain);
  let asked = 0;
  return {
    async call() {
      const more = isNew ? asked : 0;
      const trade = trades[asked++ % trades.length];
      if (trade !== undefined) await ask(server.url, trade, more);
    },
    readMs: async () => server.readCpuMs(),
    async stop() {
      await server.stop();
      await chain.close();
    },
  };
}

/** Milliseconds of processor time for this many signed deliveries, from the queue in an embedded file to the receiver. */
export async function deliver(checkout: string, deliveries: number): Promise<number> {
  const sink = fork(pathOf(checkout, 'events/sink.ts'), { execArgv: [] });
  const [port] = await once(sink, 'message');
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-bench-'));
  const task = {
    sink: `http://127.0.0.1:${port}`,
    deliveries,
    subscriptions: 100,
    mode: 'STRUCTURED',
    store: join(folder, 'file'),
  };
  const script = pathOf(checkout, 'events/tradewind.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(task)]);
  sink.kill();
  rmSync(folder, { recursive: true });
  const { cpuMsPerDelivery }: Outcome = JSON.parse(stdout);
  return cpuMsPerDelivery * deliveries;
}
