import type { InitializedTick } from './concentrated-pool.ts';

/** How many of the ascending ticks have an index of at most `tick`. */
export function countTicksUpTo(ticks: readonly InitializedTick[], tick: number): number {
  let low = 0;
  let high = ticks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // The search stays inside the array.
    if ((ticks[middle] as InitializedTick).index <= tick) low = middle + 1;
    else high = middle;
  }
  return low;
}
