import type { Database } from '../../kernel/database/database.ts';
import { patienceWithWorker, type Worker } from '../../kernel/process/worker.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import {
  nextOldLanes,
  pruneEnded,
  pruneEvents,
  pruneLane,
} from '../store/queue/retention-store.ts';

export type RetentionWorkerOptions = {
  readonly database: Database;
  readonly clock: Clock;
  /** How long events and their log are kept, in milliseconds. */
  readonly eventRetention: number;
  onFailure?(error: unknown): void;
};

/** The bounds of the pause between two rounds, which is a hundredth of the retention. */
const [shortestPause, longestPause] = [1_000, 600_000];

/** The worker that removes events and their log after the retention (E14.38), in small steps (E12.7). */
export function createRetentionWorker(options: RetentionWorkerOptions): Worker {
  const { database, clock, eventRetention, onFailure = () => {} } = options;

  const pause = Math.min(Math.max(eventRetention / 100, shortestPause), longestPause);

  const pruneAll = async (signal: AbortSignal, move: () => void): Promise<void> => {
    const before = clock.now() - eventRetention;
    const again = async (prune: () => Promise<boolean>) => {
      while (!signal.aborted && (await prune())) move();
    };
    await again(() => pruneEnded(database, clock.now()));
    for (let after = 0; !signal.aborted; ) {
      const old = await nextOldLanes(database, after, before);
      if (old === undefined) break;
      move();
      for (const lane of old.lanes) await again(() => pruneLane(database, lane, before));
      after = old.through;
    }
    await again(() => pruneEvents(database, before));
  };

  return {
    name: 'events-retention',
    movesWithin: pause + patienceWithWorker,
    async run(signal, move = () => {}) {
      while (!signal.aborted) {
        move();
        await pruneAll(signal, move).catch(onFailure);
        await clock.sleep(pause, signal);
      }
    },
  };
}
