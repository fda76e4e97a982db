import { linkSignals } from '../cancel/link-signals.ts';
import type { Clock } from '../time/clock.ts';

export type LeaseOptions = {
  readonly clock: Clock;
  /** How often the lease is renewed: a third of its length leaves room for a failed attempt. */
  readonly renewEvery: number;
  /** Extends the lease and returns whether it is still ours. */
  renew(): Promise<boolean>;
  readonly signal: AbortSignal;
};

/**
 * Runs `work` while a lease is kept alive. The signal given to `work` fires when the outer one does
 * or when the lease is found lost. An error while renewing is not a loss: the next attempt decides.
 */
export async function withLease<T>(
  options: LeaseOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clock, renewEvery, renew, signal } = options;
  const over = new AbortController();
  const held = linkSignals(signal);

  const keep = async () => {
    for (;;) {
      await clock.sleep(renewEvery, over.signal);
      if (over.signal.aborted) return;
      if (!(await renew().catch(() => true))) return held.abort();
    }
  };
  const keeping = keep();
  try {
    return await work(held.signal);
  } finally {
    over.abort();
    held.release();
    await keeping;
  }
}
