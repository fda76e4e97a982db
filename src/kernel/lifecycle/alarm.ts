import { onAbort } from '../cancel/on-abort.ts';
import type { Clock } from '../time/clock.ts';

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
