import type { Clock } from './clock.ts';

/** A clock whose time always goes on, also while that of the machine is set back. */
export type SteadyClock = Clock & {
  /** Says that this moment has been: its time is no earlier from now on. */
  notBefore(time: number): void;
  /** By how many milliseconds its time is ahead of that of the machine; 0 unless that was set back. */
  ahead(): number;
};

/** How fast its time goes while it is ahead: not at full speed, so that the machine's catches up. */
const speedWhileAhead = 0.5;

/** A time further ahead than this was written by a clock that was wrong, and is not waited for: a day. */
export const mostAhead = 24 * 3_600_000;

/**
 * Makes the time that everything in a process goes by (D6, decision 22). It is the machine's time. When
 * that is set back, it goes on from where it was at half speed until the machine's has caught up: due
 * times, leases, keys and sessions that were stored before are reached as if nothing had happened, only
 * later, and never twice as late.
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
