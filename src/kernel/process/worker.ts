import { createAlarm } from '../wait/alarm.ts';
import type { Clock } from '../wait/clock.ts';

/** A piece of background work. */
export type Worker = {
  readonly name: string;
  /**
   * Milliseconds within which a healthy worker calls `move`. One that does not makes the process
   * unhealthy (N10). If absent, nobody checks.
   */
  readonly movesWithin?: number;
  /**
   * Returns once the signal has fired and its work has stopped. Calls `move` with each round of work that it could do: a
   * worker whose rounds all fail counts as stuck, though it goes on trying.
   */
  run(signal: AbortSignal, move?: () => void): Promise<void>;
};

/** Milliseconds for a worker whose rounds are seconds apart: every wait in a round ends long before. */
export const patienceWithWorker = 60_000;

/** Removes at most `limit` rows that have expired at `now`, and returns how many. */
export type Pruning = (step: { readonly now: number; readonly limit: number }) => Promise<number>;

export type PrunerOptions = {
  readonly clock: Clock;
  /** Called for each failure; the other prunings still run, and the next round retries it. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
};

/** Small steps: each is one short write between those of others. */
const limit = 500;

/** A worker that deletes expired rows, in rounds with a pause between them. */
export function createPruner(
  options: PrunerOptions & {
    readonly name: string;
    readonly prunings: readonly Pruning[];
    readonly pauseMs: number;
  },
): Worker {
  const { name, clock, prunings, pauseMs, onFailure = () => {} } = options;

  return {
    name,
    movesWithin: pauseMs + patienceWithWorker,
    async run(signal, move = () => {}) {
      const pruneAll = async (pruning: Pruning): Promise<void> => {
        while (!signal.aborted && (await pruning({ now: clock.now(), limit })) >= limit) move();
      };
      while (!signal.aborted) {
        move();
        for (const pruning of prunings) await pruneAll(pruning).catch(onFailure);
        await clock.sleep(pauseMs, signal);
      }
    },
  };
}

export type RefresherOptions = {
  readonly name: string;
  readonly clock: Clock;
  /** The longest time between two reads, in milliseconds: how stale the data may get if a wake is lost. */
  readonly pause: number;
  /** Calls `wake` when something may have changed. The returned function stops that. */
  listen(wake: () => void): Promise<() => Promise<void>>;
  refresh(): Promise<void>;
  readonly onFailure: (error: unknown) => void;
};

/**
 * Makes a worker that keeps a process's copy of data in the database up to date: it reads at once, at every wake and
 * after each pause. A failed read is reported; the next one makes up for it.
 */
export function createRefresher(options: RefresherOptions): Worker {
  const { name, clock, pause, listen, refresh, onFailure } = options;
  return {
    name,
    movesWithin: pause + patienceWithWorker,
    async run(signal, move = () => {}) {
      const alarm = createAlarm(clock);
      const unlisten = await listen(alarm.ring);
      while (!signal.aborted) {
        move();
        await refresh().catch(onFailure);
        await alarm.sleep(pause, signal);
      }
      await unlisten();
    },
  };
}
