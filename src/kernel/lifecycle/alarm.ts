import type { Clock } from '../clock.ts';

/** A sleep that others can end. A ring while nobody sleeps ends the next sleep at once. */
export type Alarm = {
  ring(): void;
  /** Resolves after `milliseconds` (at once if they are below 0), at a ring, or when the signal fires. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
};

export function createAlarm(clock: Clock): Alarm {
  let hasRung = false;
  let sleeping: AbortController | undefined;

  return {
    ring() {
      hasRung = true;
      sleeping?.abort();
    },
    async sleep(milliseconds, signal) {
      if (!hasRung) {
        const sleep = new AbortController();
        const stop = () => sleep.abort();
        sleeping = sleep;
        signal.addEventListener('abort', stop, { once: true });
        if (!signal.aborted) await clock.sleep(milliseconds, sleep.signal);
        signal.removeEventListener('abort', stop);
        sleeping = undefined;
      }
      hasRung = false;
    },
  };
}
