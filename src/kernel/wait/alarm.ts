import { onAbort } from './cancel.ts';
import type { Clock } from './clock.ts';

/** A sleep that others can end. A ring while nobody sleeps ends the next sleep at once. */
export type Alarm = {
  ring(): void;
  /** Forgets a ring that came while nobody slept. */
  silence(): void;
  /**
   * Resolves after `milliseconds` (at once if they are below 0), at a ring, or when the signal fires. Returns
   * whether it rang.
   */
  sleep(milliseconds: number, signal: AbortSignal): Promise<boolean>;
};

/** A reason for `abort`, which would create an error without one. */
const ended = 'ended';

export function createAlarm(clock: Clock): Alarm {
  let hasRung = false;
  let sleeping: AbortController | undefined;

  return {
    ring() {
      hasRung = true;
      sleeping?.abort(ended);
    },
    silence() {
      hasRung = false;
    },
    async sleep(milliseconds, signal) {
      if (!hasRung) {
        const sleep = new AbortController();
        sleeping = sleep;
        const stopListening = onAbort(signal, () => sleep.abort(ended));
        await clock.sleep(milliseconds, sleep.signal);
        stopListening();
        sleeping = undefined;
      }
      const rang = hasRung;
      hasRung = false;
      return rang;
    },
  };
}

type BackoffOptions = {
  /** How often it has been tried: 1 after the first failure. */
  readonly attempts: number;
  /** In [0, 1): spreads those who failed together. */
  readonly fraction: number;
  /** In milliseconds: about a second if not said otherwise. */
  readonly shortest?: number;
  /** In milliseconds: about five minutes if not said otherwise. */
  readonly longest?: number;
};

/** Milliseconds until the next attempt: doubling from the shortest to the longest, less up to half. */
export function backoffDelay(options: BackoffOptions): number {
  const { attempts, fraction, shortest = 1_000, longest = 5 * 60_000 } = options;
  const delay = Math.min(shortest * 2 ** (attempts - 1), longest);
  return Math.round(delay * (0.5 + fraction / 2));
}
