import { existsSync, statfsSync } from 'node:fs';

/** Where Linux keeps files in memory. */
const place = '/dev/shm';

/** Bytes. A test run needs some hundred megabytes at a time; a container may have as little as 64. */
const enough = 2 ** 31;

/**
 * A directory whose files are in memory, if the system has one with room. Each commit of a store waits for its disk,
 * and a test run makes tens of thousands of commits. Files outlast the process that wrote them here as well.
 */
export function findMemoryDirectory(): string | undefined {
  if (!existsSync(place)) return undefined;
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize >= enough ? place : undefined;
}
