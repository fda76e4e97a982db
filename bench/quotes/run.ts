import { loadavg } from 'node:os';
import type { RpcServer } from '../../tests/support/rpc-server.ts';
import { trades } from '../routing/mainnet-like-pools.ts';
import { createAlphaRouterPeer } from './alpha-router-peer.ts';
import {
  askQuote,
  countRoundTrips,
  measureLatency,
  measureRate,
  serveChain,
  type Trade,
} from './measure-server.ts';
import { openSeededChain } from './open-seeded-chain.ts';

/*
 * Swap quotes as a caller gets them: from the real server over HTTP, on chains with the pools of the
 * routing benchmark, beside Uniswap's AlphaRouter on the same chains.
 * Run: npm ci --ignore-scripts --force && node run.ts (Node.js 24, Linux).
 */

/** A selection of the routing benchmark's pool sets and trades, because AlphaRouter takes seconds for each. */
const seeds = [7, 11];
const compared: readonly Trade[] = [
  ['WETH', 'USDC', 1],
  ['WETH', 'USDC', 1000],
  ['UNI', 'DAI', 50000],
  ['DAI', 'USDT', 4e6],
];
const warmUpRounds = 30;

console.log(`Load of the machine at the start: ${load()}`);
const comparisons = [];
for (const hasV4 of [false, true]) {
  for (const seed of seeds) comparisons.push(...(await compareWithAlphaRouter(seed, hasV4)));
}
console.table(comparisons);
const { trips, latency, rate } = await measureServer();
console.table([
  {
    figure: 'outputs below AlphaRouter',
    measured: comparisons.filter((row) => row['ours above, bps'] < 0).length,
    target: '0',
  },
  { figure: 'round trips, first quote of a server', measured: trips.first, target: 'at most 4' },
  { figure: 'round trips, cold quote', measured: trips.cold, target: 'at most 4' },
  { figure: 'round trips, warm quote', measured: trips.warm, target: '1' },
  { figure: 'warm quote p50, ms', measured: quantile(latency.total, 0.5), target: '' },
  { figure: 'warm quote p95, ms', measured: quantile(latency.total, 0.95), target: '' },
  {
    figure: 'beyond what the node takes p50, ms',
    measured: quantile(latency.beyondNode, 0.5),
    target: 'at most 5',
  },
  {
    figure: 'beyond what the node takes p95, ms',
    measured: quantile(latency.beyondNode, 0.95),
    target: '',
  },
  { figure: 'quotes a second, 8 callers', measured: round(rate.perSecond), target: '' },
  { figure: 'processor time of the server a quote, ms', measured: round(rate.cpuMs), target: '' },
]);
console.log(`Load of the machine at the end: ${load()}`);

async function compareWithAlphaRouter(seed: number, hasV4: boolean) {
  const chain = await openSeededChain(seed, { hasV4 });
  const peer = await createAlphaRouterPeer(chain);
  const server = await serveChain(chain);
  const askServer = async (trade: Trade) =>
    BigInt((await askQuote(server.url, trade)).expectedAmountOut);
  const rows = [];
  // One trade first, so that both have warm code, connections and pools.
  for (const ask of [peer.ask, askServer]) await ask(['USDC', 'WETH', 1e6]);
  for (const trade of compared) {
    const theirs = await observe(peer.server, () => peer.ask(trade));
    const ours = await observe(chain.server, () => askServer(trade));
    rows.push({
      pools: hasV4 ? 'V2, V3, V4' : 'V2, V3',
      seed,
      trade: `${trade[2]} ${trade[0]} > ${trade[1]}`,
      'ours above, bps': round((Number(ours.out - theirs.out) / Number(theirs.out)) * 10_000),
      'ours ms': round(ours.ms),
      'theirs ms': round(theirs.ms),
      'our requests': ours.requests,
      'their requests': theirs.requests,
    });
  }
  await server.stop();
  await peer.close();
  await chain.close();
  return rows;
}

/** The output of a trade, the time that it takes, and the number of HTTP requests to the node meanwhile. */
async function observe(node: RpcServer, ask: () => Promise<bigint>) {
  node.resetCounts();
  const start = performance.now();
  const out = await ask();
  return { out, ms: performance.now() - start, requests: node.requests };
}

async function measureServer() {
  const chain = await openSeededChain(7);
  const trips = await countRoundTrips(chain);
  const server = await serveChain(chain);
  for (let round = 0; round < warmUpRounds; round++) {
    for (const trade of trades) await askQuote(server.url, trade);
  }
  const latency = await measureLatency(server.url, chain, 20);
  const rate = await measureRate(server, { callers: 8, rounds: 30 });
  await server.stop();
  await chain.close();
  return { trips, latency, rate };
}

function load(): string | undefined {
  return loadavg()[0]?.toFixed(1);
}

function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  return round(sorted[Math.floor(sorted.length * part)] ?? Number.NaN);
}

function round(number: number): number {
  return Number(number.toPrecision(3));
}
