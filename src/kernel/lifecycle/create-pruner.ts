import type { Clock } from '../time/clock.ts';
import { patienceWithWorker, type Worker } from './worker.ts';

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
