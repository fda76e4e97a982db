import { type Clock, systemClock } from '../../../kernel/clock.ts';
import { DatabaseError } from '../../../kernel/database/database-error.ts';
import { lockDataFile } from '../../../kernel/database/lock-data-file.ts';

const pauseMs = 20; // a refresh takes about as long

export type LockOptions = { readonly signal?: AbortSignal | undefined; readonly clock?: Clock };

/**
 * Runs `work` while no other process, nor another part of this one, runs any under the same path. The lock
 * is the operating system's: a process that dies lets go of it, however it dies.
 */
export async function lockFile<T>(
  path: string,
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const release = await acquire(path, options);
  try {
    return await work();
  } finally {
    release();
  }
}

async function acquire(path: string, { signal, clock = systemClock }: LockOptions) {
  for (;;) {
    signal?.throwIfAborted();
    try {
      return lockDataFile(path);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== 'IN_USE') throw error;
    }
    await clock.sleep(pauseMs, signal);
  }
}
