import { existsSync, statfsSync } from 'node:fs';

/** Where Linux keeps files in memory. */
const place = '/dev/shm';

/** Bytes. A run takes some hundred megabytes at a time; a container may give as little as 64. */
const enough = 2 ** 31;

/**
 * A directory whose files are in memory, where the system has one with room. Each commit of a store waits for
 * its disk, which a test run does ten thousands of times; what a process wrote outlasts it here as well.
 */
export function findMemoryDirectory(): string | undefined {
  if (!existsSync(place)) return undefined;
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize >= enough ? place : undefined;
}
