import { type Alarm, createAlarm } from '../../../kernel/lifecycle/alarm.ts';
import type { Clock } from '../../../kernel/time/clock.ts';

/** How a lane that runs in this process hears that something was appended to it. */
export type LaneCall = {
  /** Whether it has delivered all and waits for more. */
  readonly isWaiting: boolean;
  /** Forgets what was heard: all of that is about to be read. */
  forget(): void;
  /** Waits a while for more, where not too many do, and answers whether something came. */
  wait(signal: AbortSignal): Promise<boolean>;
  /** From now on the lane no longer looks for more by itself: it is being given back. */
  leave(): void;
};

export type LaneCalls = {
  enter(lane: number): LaneCall;
  /** Tells lanes that something was appended, as far as they are here to hear it. */
  tell(lanes: readonly number[]): void;
  tellAll(): void;
};

/** Short, for meanwhile no other process can take the lane, and a crash holds it up until its lease ends. */
const patience = 1_000;
const waitingAtOnce = 512;

/**
 * Has lanes that have delivered all stay for a while: what comes then need neither wait for the lane
 * to be given back nor have it claimed again.
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
