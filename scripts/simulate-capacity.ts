import { createSeededFractions } from '../tests/support/seeded-fractions.ts';
import { coresOf, type MeasuredCosts } from './capacity.ts';

/** A load on several processes, each with one core. */
export type SimulatedLoad = {
  /** Operations a second. */
  readonly rate: number;
  /** Processor time of one operation. */
  readonly micros: number;
  readonly processes: number;
  readonly seconds: number;
  /** One process dies at this second. The others take over its work when the lease ends. */
  readonly diesAt?: number;
  readonly leaseSeconds?: number;
};

export type SimulatedWaits = {
  /** The longest time that a part of the load waited for a core, in seconds. */
  readonly longest: number;
  /** The wait at the end: if it has grown all the time, the load was too much. */
  readonly atEnd: number;
  /** Seconds from the death of the process until nothing waited longer than before. */
  readonly madeGoodAfter: number | undefined;
};

/** Simulation steps in a second. */
const steps = 10;

/**
 * Simulates a random load, step by step (T13). In each step every process gets its share of the new operations, from a normal
 * distribution with the variance of independent events, and does as many as fit into the step. When a process dies, its queue
 * and its share wait until the lease ends, then go to the others.
 */
export function simulateCapacity(load: SimulatedLoad, random: () => number): SimulatedWaits {
  const { rate, micros, processes, seconds, diesAt, leaseSeconds = 6 } = load;
  const queues = new Array<number>(processes).fill(0);
  let orphaned = 0;
  const waits: number[] = [];
  for (let step = 0; step < seconds * steps; step++) {
    const second = step / steps;
    const isDead = diesAt !== undefined && second >= diesAt;
    const isTakenOver = isDead && second >= diesAt + leaseSeconds;
    const living = isDead ? processes - 1 : processes;
    if (isDead) orphaned += queues.splice(living).reduce((sum, left) => sum + left, 0);
    const sharing = isDead && !isTakenOver ? processes : living;
    const share = rate / steps / sharing;
    const come = () => Math.max(0, share + Math.sqrt(share) * normal(random));
    if (sharing > living) orphaned += come();
    const inherited = isTakenOver ? orphaned / living : 0;
    if (isTakenOver) orphaned = 0;
    for (let process = 0; process < living; process++) {
      const left = (queues[process] ?? 0) + come() + inherited;
      queues[process] = Math.max(0, left - 1e6 / micros / steps);
    }
    const backlog = Math.max(...queues) * (micros / 1e6);
    waits.push(orphaned > 0 ? Math.max(backlog, second - (diesAt ?? 0)) : backlog);
  }
  return {
    longest: Math.max(...waits),
    atEnd: waits.at(-1) ?? 0,
    madeGoodAfter: diesAt === undefined ? undefined : madeGood(waits, diesAt),
  };
}

function madeGood(waits: readonly number[], diesAt: number): number | undefined {
  const usual = Math.max(...waits.slice(0, diesAt * steps), 1 / steps);
  const last = waits.findLastIndex((wait, step) => step >= diesAt * steps && wait > usual);
  return last === waits.length - 1 ? undefined : (last + 1) / steps - diesAt;
}

/** A normally distributed number, by the Box-Muller transform. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** The rows of the simulation in `docs/scale.md`: each load on the planned processes plus one. One of them dies. */
export function simulatePlan(costs: MeasuredCosts): string[] {
  const row = (what: string, rate: number, { value: micros }: { readonly value: number }) => {
    const processes = Math.ceil(coresOf(rate, micros)) + 1;
    const load = { rate, micros, processes, seconds: 120 };
    const usual = simulateCapacity(load, createSeededFractions(1));
    const broken = simulateCapacity({ ...load, diesAt: 30 }, createSeededFractions(2));
    const after = broken.madeGoodAfter?.toFixed(1) ?? 'never';
    return `| ${what} | ${processes} | ${Math.round(usual.longest * 1_000)} ms | ${after} s |`;
  };
  return [
    row('100,000 deliveries a second, a post each', 100_000, costs.deliveryMicros),
    row('10,000 tokens a second', 10_000, costs.tokenMicros),
    row('110,000 requests a second checked by the guard', 110_000, costs.guardMicros),
    row('10,000 quotes a second', 10_000, costs.quoteMicros),
  ];
}
