import type { TickReach } from '../pool.ts';
import type { PoolQuery } from '../read-pools.ts';

/** Whether a pool that was read for one query need not be read again for another. */
export function coversQuery({ reach: read }: PoolQuery, { reach: wanted }: PoolQuery): boolean {
  if (wanted === undefined) return true;
  return read !== undefined && isAtLeast(read, wanted);
}

function isAtLeast(reach: TickReach, other: TickReach): boolean {
  return (
    reach.wordsBelow >= other.wordsBelow &&
    reach.wordsAbove >= other.wordsAbove &&
    reach.ticksPerSide >= other.ticksPerSide
  );
}
