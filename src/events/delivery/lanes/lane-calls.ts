import { type Alarm, createAlarm } from '../../../kernel/wait/alarm.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';

/** Notifies a lane of this process that events were appended to it. */
export type LaneCall = {
  /** Whether it has delivered everything and waits for more. */
  readonly isWaiting: boolean;
  /** Clears the notifications: their events are about to be read. */
  forget(): void;
  /** Waits a while for more events, unless too many lanes do so, and returns whether any came. */
  wait(signal: AbortSignal): Promise<boolean>;
  /** Ends the notifications, because the lane is being given back. */
  leave(): void;
};

export type LaneCalls = {
  enter(lane: number): LaneCall;
  /** Notifies the named lanes that this process holds. */
  tell(lanes: readonly number[]): void;
  tellAll(): void;
};

/** Short: meanwhile no other process can claim the lane, and after a crash it waits until the lease ends. */
const patience = 1_000;
const waitingAtOnce = 512;

/**
 * Keeps lanes that have delivered everything for a while, so that the next event needs no new claim (decision 19).
 */
export function createLaneCalls(clock: Clock): LaneCalls {
  const alarms = new Map<number, Alarm>();
  let waiting = 0;

  return {
    enter(lane) {
      const alarm = createAlarm(clock);
      let isWaiting = false;
      alarms.set(lane, alarm);
      return {
        get isWaiting() {
          return isWaiting;
        },
        forget: alarm.silence,
        async wait(signal) {
          if (waiting >= waitingAtOnce) return false;
          isWaiting = true;
          waiting++;
          const hasCome = await alarm.sleep(patience, signal);
          isWaiting = false;
          waiting--;
          return hasCome;
        },
        leave() {
          // The lane may have been lost and claimed anew meanwhile.
          if (alarms.get(lane) === alarm) alarms.delete(lane);
        },
      };
    },
    tell(lanes) {
      for (const lane of lanes) alarms.get(lane)?.ring();
    },
    tellAll() {
      for (const alarm of alarms.values()) alarm.ring();
    },
  };
}
