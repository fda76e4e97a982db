/**
 * Compares the processor time of two commits in one run: the edge, authorization, warm quotes, prices and a delivery in
 * two checkouts of this repository, each with its own packages installed. Both servers run at the same time and are
 * called in short turns, so that other load on the machine affects both.
 *
 * Run: node bench/checkouts/run.ts <checkout before> <checkout after> [what …]. Linux only.
 */
import { loadavg } from 'node:os';
import { type Contestant, contestants, deliver, hands } from './contestants.ts';

const [before = '', after = '', ...chosen] = process.argv.slice(2);
const checkouts = [before, after];
const turns = Number(process.env.TURNS ?? 20);
const deliveryRounds = 3;

console.log(`Load of the machine at the start: ${loadavg()[0]?.toFixed(1)}`);
for (const what of chosen.length > 0 ? chosen : [...Object.keys(contestants), 'delivery']) {
  const measured = what === 'delivery' ? measureDeliveries() : measureServers(what);
  const taken = await measured.catch((error: Error) => console.log(`${what}: ${error.message}`));
  if (taken === undefined) continue;
  const ratios = taken.map(([first, second]) => second / first).toSorted((a, b) => a - b);
  const micros = (side: 0 | 1) => median(taken.map((pair) => pair[side])).toFixed(0);
  const [low = 0, high = 0] = [0.25, 0.75].map((part) => ratios[Math.floor(part * ratios.length)]);
  console.log(
    `${what}: ${micros(0)} → ${micros(1)} µs, ratio ${median(ratios).toFixed(2)} (half of the turns between ${low.toFixed(2)} and ${high.toFixed(2)})`,
  );
}
console.log(`Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`);

/** Microseconds before and after, for each turn. */
type Pair = readonly [number, number];

async function measureServers(what: string): Promise<Pair[]> {
  const open = contestants[what];
  if (open === undefined) throw new Error(`Nothing measures ${what}.`);
  const servers: Contestant[] = [];
  for (const checkout of checkouts) servers.push(await open(checkout));
  const isQuote = what.endsWith('quote');
  const [warmUp, count] = isQuote ? [104, 13] : [6_000, 1_500];
  for (const server of servers) await load(server, warmUp);
  const pairs: Pair[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const micros: number[] = [];
    for (const server of servers) {
      const start = await server.readMs();
      await load(server, count);
      micros.push((((await server.readMs()) - start) * 1_000) / count);
    }
    pairs.push([micros[0] ?? 0, micros[1] ?? 0]);
  }
  for (const server of servers) await server.stop();
  return pairs;

  async function load(server: Contestant, requests: number): Promise<void> {
    let left = requests;
    const work = async (hand: number) => {
      while (left-- > 0) await server.call(hand);
    };
    // The chain node behind the quotes runs in this process and computes one answer at a time.
    await Promise.all(Array.from({ length: isQuote ? 1 : hands }, (_, hand) => work(hand)));
  }
}

async function measureDeliveries(): Promise<Pair[]> {
  const deliveries = 10_000;
  const pairs: Pair[] = [];
  for (let round = 0; round < deliveryRounds; round++) {
    const micros: number[] = [];
    for (const checkout of checkouts) {
      micros.push(((await deliver(checkout, deliveries)) * 1_000) / deliveries);
    }
    pairs.push([micros[0] ?? 0, micros[1] ?? 0]);
  }
  return pairs;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
