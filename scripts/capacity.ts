import { readFileSync } from 'node:fs';

/** Measured costs in microseconds, under the names of `bench/results/scale.json`. */
export type MeasuredCosts = Readonly<
  Record<
    | 'deliveryMicros'
    | 'batchedDeliveryMicros'
    | 'storingMicros'
    | 'queueingMicros'
    | 'tokenMicros'
    | 'guardMicros'
    | 'quoteMicros',
    { readonly value: number; readonly from: string }
  >
>;

/** The share of a core that the plan uses. The rest is for bursts and for the work of a process that died. */
const planned = 0.6;

/** The cores that a load needs, from operations a second and the microseconds of each. */
export function coresOf(rate: number, micros: number): number {
  return (rate * micros) / 1e6 / planned;
}

export function readMeasuredCosts(): MeasuredCosts {
  const file = new URL('../bench/results/scale.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')); // a file of this repository, so its shape is known
}

/** The rows of the plan in `docs/scale.md`, each with its calculation (T13). */
export function planCapacity(costs: MeasuredCosts): string[] {
  const cores = (what: string, rate: number, { value }: { readonly value: number }) => {
    const needed = coresOf(rate, value);
    const sum = `${rate.toLocaleString('en')} × ${value} µs ÷ ${planned}`;
    return `| ${what} | ${sum} | ${needed.toFixed(1)} cores, so ${count(Math.ceil(needed))} |`;
  };
  const writers = (100_000 * costs.storingMicros.value) / 1e6;
  const fanOut = (10_000 * costs.queueingMicros.value) / 1e3;
  return [
    cores('100,000 deliveries a second, a post each', 100_000, costs.deliveryMicros),
    cores('the same in batch mode', 100_000, costs.batchedDeliveryMicros),
    cores('10,000 tokens a second', 10_000, costs.tokenMicros),
    cores('110,000 requests a second checked by the guard', 110_000, costs.guardMicros),
    cores('10,000 quotes a second', 10_000, costs.quoteMicros),
    `| 100,000 events a second stored and queued | 100,000 × ${costs.storingMicros.value} µs | ${writers.toFixed(1)} transactions under way at a time |`,
    `| one event queued for 10,000 subscribers, after its answer | 10,000 × ${costs.queueingMicros.value} µs | ${fanOut} ms |`,
  ];
}

function count(processes: number): string {
  return processes === 1 ? '1 process' : `${processes} processes`;
}
