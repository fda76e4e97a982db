import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import type { Outcome } from '../events/contender.ts';

/*
 * Measures one thing in one checkout, by the parts of that checkout's own benchmarks, and prints how many microseconds of
 * processor time one of it takes. Run by run.ts.
 */
const [checkout = '.', what = ''] = process.argv.slice(2);
const pathOf = (file: string) => join(resolve(checkout), 'bench', file);
const counts = { requests: 4_000, deliveries: 20_000, quoteRounds: 8 };

const measures: Record<string, () => Promise<number>> = {
  edge: measureEdge,
  discovery: () => measureAuthorization('discovery'),
  token: () => measureAuthorization('client credentials'),
  refresh: () => measureAuthorization('refresh'),
  delivery: measureDelivery,
  quote: measureQuote,
};
console.log(await measures[what]?.());
process.exit(0);

/** A request that the edge hands to a service, which answers a constant. */
async function measureEdge(): Promise<number> {
  const server = fork(pathOf('edge/server.ts'), ['edge']);
  const [{ port }] = await once(server, 'message');
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 16 });
  const call = async () => (await pool.request({ path: '/status', method: 'GET' })).body.dump();
  const readMs = async () => {
    server.send('cpu');
    const [{ cpu }] = await once(server, 'message');
    return (cpu.user + cpu.system) / 1_000;
  };
  const micros = await measureCalls(call, readMs);
  server.kill();
  return micros;
}

async function measureAuthorization(operation: string): Promise<number> {
  const { startTradewind }: typeof import('../authorization/start-contestant.ts') = await import(
    pathOf('authorization/start-contestant.ts')
  );
  const { operations }: typeof import('../authorization/operations.ts') = await import(
    pathOf('authorization/operations.ts')
  );
  const server = await startTradewind();
  const pool = new Pool(new URL(server.url).origin, { connections: 16 });
  const call = await operations[operation]?.(server, pool);
  const micros = await measureCalls(call ?? (async () => {}), async () => server.readCpuMs());
  await pool.close();
  await server.stop();
  return micros;
}

/** From the queue in an embedded file to the receiver, signed, over 100 subscriptions. */
async function measureDelivery(): Promise<number> {
  const sink = fork(pathOf('events/sink.ts'), { execArgv: [] });
  const [port] = await once(sink, 'message');
  const store = mkdtempSync(join(tmpdir(), 'tradewind-bench-'));
  const task = {
    sink: `http://127.0.0.1:${port}`,
    deliveries: counts.deliveries,
    subscriptions: 100,
    mode: 'STRUCTURED',
    store: join(store, 'file'),
  };
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [
    pathOf('events/tradewind.ts'),
    JSON.stringify(task),
  ]);
  sink.kill();
  rmSync(store, { recursive: true });
  const { cpuMsPerDelivery }: Outcome = JSON.parse(stdout);
  return cpuMsPerDelivery * 1_000;
}

/** A warm quote over the pools of the routing benchmark, by the routers of Uniswap. */
async function measureQuote(): Promise<number> {
  const { openSeededChain }: typeof import('../quotes/open-seeded-chain.ts') = await import(
    pathOf('quotes/open-seeded-chain.ts')
  );
  const { measureRate, serveChain }: typeof import('../quotes/measure-server.ts') = await import(
    pathOf('quotes/measure-server.ts')
  );
  const chain = await openSeededChain(7);
  const server = await serveChain(chain);
  await measureRate(server, { callers: 1, rounds: counts.quoteRounds });
  const { cpuMs } = await measureRate(server, { callers: 1, rounds: counts.quoteRounds });
  await server.stop();
  await chain.close();
  return cpuMs * 1_000;
}

/** Microseconds a call, once the code for it is compiled. */
async function measureCalls(
  call: (hand: number) => Promise<unknown>,
  readMs: () => Promise<number>,
): Promise<number> {
  const load = async () => {
    let left = counts.requests;
    const work = async (hand: number) => {
      for (; left > 0; left--) await call(hand);
    };
    await Promise.all(Array.from({ length: 16 }, (_, hand) => work(hand)));
  };
  await load();
  await load();
  const before = await readMs();
  await load();
  return (((await readMs()) - before) * 1_000) / counts.requests;
}
