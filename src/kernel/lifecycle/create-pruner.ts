import type { Clock } from '../clock.ts';
import type { Worker } from './worker.ts';

/** Forgets at most `limit` rows of what is over at `now`, and answers how many it were. */
export type Pruning = (step: { readonly now: number; readonly limit: number }) => Promise<number>;

export type PrunerOptions = {
  readonly clock: Clock;
  /** Told of each failure; the others are pruned all the same, and it is tried again in the next round. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
};

/** Small steps: each is one short write between those of others. */
const limit = 500;

/** A worker that forgets what is over, round after round with a pause between them. */
export function createPruner(
  options: PrunerOptions & {
    readonly name: string;
    readonly prunings: readonly Pruning[];
    readonly pauseMs: number;
  },
): Worker {
  const { name, clock, prunings, pauseMs, onFailure = () => {} } = options;

  async function pruneAll(pruning: Pruning, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await pruning({ now: clock.now(), limit })) >= limit);
  }

  return {
    name,
    async run(signal) {
      while (!signal.aborted) {
        for (const pruning of prunings) await pruneAll(pruning, signal).catch(onFailure);
        await clock.sleep(pauseMs, signal);
      }
    },
  };
}
