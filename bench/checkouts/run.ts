/**
 * Processor time of one commit beside another, in one run and in turn: what the edge, authorization, a delivery and a
 * warm quote take in two checkouts of this repository, each with its own packages installed.
 *
 * Run: node bench/checkouts/run.ts <checkout before> <checkout after> [what …]. Linux only.
 */
import { execFile } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const everything = ['edge', 'discovery', 'token', 'refresh', 'delivery', 'quote'];
const [before = '', after = '', ...chosen] = process.argv.slice(2);
const rounds = Number(process.env.ROUNDS ?? 3);
const run = promisify(execFile);

console.log(`Load of the machine at the start: ${loadavg()[0]?.toFixed(1)}`);
for (const what of chosen.length > 0 ? chosen : everything) {
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push([await measure(before, what), await measure(after, what)]);
  }
  const best = (side: 0 | 1) => Math.min(...pairs.map((pair) => pair[side]));
  const listed = pairs.map((pair) => pair.map((micros) => micros.toFixed(0)).join(' → '));
  const ratio = (best(1) / best(0)).toFixed(2);
  console.log(
    `${what}: ${best(0).toFixed(0)} → ${best(1).toFixed(0)} µs, ${ratio} (${listed.join(', ')})`,
  );
}
console.log(`Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`);

async function measure(checkout: string, what: string): Promise<number> {
  const script = join(import.meta.dirname, 'measure.ts');
  const { stdout } = await run(process.execPath, [script, checkout, what]);
  return Number(stdout.trim().split('\n').at(-1));
}
