import type { TickState } from './concentrated-pool.ts';

/** How many initialized ticks lie from one state of a pool to another. */
export function ticksBetween(before: TickState, after: TickState): number {
  const low = Math.min(before.tick, after.tick);
  const high = Math.max(before.tick, after.tick);
  return before.ticks.filter(({ index }) => index > low && index <= high).length;
}
