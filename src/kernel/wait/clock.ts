import { onAbort } from './cancel.ts';

/** Where time comes from. Everything that reads the time or waits receives one of these. */
export type Clock = {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since some moment. Monotonic, unlike `now`, which can be set back: for deadlines and durations. */
  elapsed(): number;
  /** Resolves after `milliseconds` (at once if they are below 0), or as soon as the signal fires; it never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Resolves in the next turn of the event loop, after all work that the I/O of this one has started. */
  turn(): Promise<void>;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        stopListening?.();
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, milliseconds));
      const stopListening = signal && onAbort(signal, done);
    }),
  turn: () => new Promise((resolve) => setImmediate(resolve)),
};

/** A clock whose time never goes back, even if that of the machine is set back. */
export type SteadyClock = Clock & {
  /** Advances the clock to this time if it is behind, unless the time is beyond {@link mostAhead}. */
  notBefore(time: number): void;
  /** By how many milliseconds its time is ahead of that of the machine; 0 unless that was set back. */
  ahead(): number;
};

/** How fast its time goes while it is ahead: not at full speed, so that the machine's catches up. */
const speedWhileAhead = 0.5;

/** A day. A time further ahead than this was written by a wrong clock and is ignored. */
export const mostAhead = 24 * 3_600_000;

/**
 * Makes the clock that everything in a process uses (D6, decision 22). It shows the machine's time. If
 * that is set back, it goes on from where it was at half speed until the machine's has caught up:
 * stored due times, leases, keys and sessions are reached as if nothing had happened, only later, after
 * at most twice the wait.
 */
export function createSteadyClock(machine: Clock): SteadyClock {
  let time = machine.now();
  let readAt = machine.elapsed();

  const read = (): number => {
    const elapsed = machine.elapsed();
    time = Math.max(machine.now(), time + (elapsed - readAt) * speedWhileAhead);
    readAt = elapsed;
    return Math.floor(time);
  };

  return {
    ...machine,
    now: read,
    notBefore(moment) {
      if (moment > read() && moment - machine.now() <= mostAhead) time = moment;
    },
    ahead: () => Math.max(0, read() - machine.now()),
  };
}
