import type { TickState } from './concentrated-pool.ts';
import { countTicksUpTo } from './count-ticks-up-to.ts';

/** How many initialized ticks lie from one state of a pool to another. */
export function ticksBetween({ ticks, tick }: TickState, after: TickState): number {
  return Math.abs(countTicksUpTo(ticks, after.tick) - countTicksUpTo(ticks, tick));
}
