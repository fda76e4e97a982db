import type { Database } from '../../../kernel/database/database.ts';
import { leaseLength } from '../../../kernel/lease/lease-length.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { confirmWorker, leaveLanes } from '../../store/lanes/lane-store.ts';

/** Keeps the lease that lets only this process deliver the lanes it has claimed. */
export type LeaseKeeper = {
  /** Takes the lease, and frees the lanes that a process of this name held before. */
  begin(): Promise<void>;
  /**
   * Renews the lease until the signal fires, and frees the lanes of processes whose lease has
   * ended.
   */
  keep(signal: AbortSignal): Promise<void>;
  /** Frees the lanes for others at once. */
  end(): Promise<void>;
};

export function createLeaseKeeper(options: {
  readonly database: Database;
  readonly owner: string;
  readonly clock: Clock;
  /** Lanes of others became free. */
  onFreed(): void;
  onFailure(error: unknown): void;
}): LeaseKeeper {
  const { database, owner, clock, onFreed, onFailure } = options;
  const confirm = () => {
    const now = clock.now();
    return confirmWorker(database, owner, { now, until: now + leaseLength });
  };

  return {
    async begin() {
      await leaveLanes(database, owner);
      await confirm();
    },
    async keep(signal) {
      while (!signal.aborted) {
        await clock.sleep(leaseLength / 3, signal);
        await confirm().then((freed) => {
          if (freed > 0) onFreed();
        }, onFailure);
      }
    },
    end: () => leaveLanes(database, owner).catch(onFailure),
  };
}
