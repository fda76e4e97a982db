import { loadavg } from 'node:os';
import { trades } from '../routing/mainnet-like-pools.ts';
import {
  askQuote,
  countRoundTrips,
  measureLatency,
  measureRate,
  serveChain,
} from './measure-server.ts';
import { openSeededChain } from './open-seeded-chain.ts';

/*
 * Swap quotes as a caller gets them: from the real server over HTTP, on a chain with the pools of the
 * routing benchmark. Run: npm ci --ignore-scripts --force && node run.ts (Node.js 24, Linux).
 */

const warmUpRounds = 30;
const load = () => loadavg()[0]?.toFixed(1);

console.log(`Load of the machine at the start: ${load()}`);
const chain = await openSeededChain(7);
const trips = await countRoundTrips(chain);
const server = await serveChain(chain);
for (let round = 0; round < warmUpRounds; round++)
  for (const trade of trades) await askQuote(server.url, trade);
const { total, beyondNode } = await measureLatency(server.url, chain, 20);
const { perSecond, cpuMs } = await measureRate(server, { callers: 8, rounds: 30 });
await server.stop();
await chain.close();

console.table([
  { figure: 'round trips of a cold quote', measured: trips.cold, target: 'at most 4' },
  { figure: 'round trips of a warm quote', measured: trips.warm, target: '1' },
  { figure: 'warm quote p50, ms', measured: quantile(total, 0.5), target: '' },
  { figure: 'warm quote p95, ms', measured: quantile(total, 0.95), target: '' },
  { figure: 'beyond the node p50, ms', measured: quantile(beyondNode, 0.5), target: 'at most 5' },
  { figure: 'beyond the node p95, ms', measured: quantile(beyondNode, 0.95), target: '' },
  { figure: 'quotes a second, 8 callers', measured: round(perSecond), target: '' },
  { figure: 'processor time of the server a quote, ms', measured: round(cpuMs), target: '' },
]);
console.log(`Load of the machine at the end: ${load()}`);

function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  return round(sorted[Math.floor(sorted.length * part)] ?? Number.NaN);
}

function round(number: number): number {
  return Number(number.toPrecision(3));
}
