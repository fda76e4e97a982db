import { createAlarm } from '../../../kernel/lifecycle/alarm.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import type { LaneKind } from '../../store/lanes/lane-store.ts';
import {
  changeSchedule,
  decideStep,
  isPlaceAwaited,
  noteCrowd,
  openSchedule,
  type ScheduleEvent,
} from './delivery-schedule.ts';
import type { RetrySettings } from './plan-retry.ts';

/**
 * The longest slot in milliseconds. A slot is a tenth of the first retry pause, if that is shorter. Retries that fall
 * due within a slot are claimed together.
 */
const longestSlot = 100;

/** The current schedule, and the alarm that ends the sleep it decided on. */
export function createScheduler({
  clock,
  settings,
}: {
  readonly clock: Clock;
  readonly settings: Pick<RetrySettings, 'retryFirst'>;
}) {
  const slot = Math.min(Math.max(settings.retryFirst / 10, 1), longestSlot);
  const alarm = createAlarm(clock);
  let schedule = openSchedule(clock.now());
  const change = (event: ScheduleEvent): void => {
    schedule = changeSchedule(schedule, event, slot);
  };
  return {
    slot,
    alarm,
    change,
    onDue(first: Readonly<Record<LaneKind, number>>): void {
      if (first.others === Infinity && first.failing === Infinity) return;
      change({ kind: 'due', first });
      alarm.ring();
    },
    onPlaceFree(): void {
      if (isPlaceAwaited(schedule, clock.now())) alarm.ring();
    },
    isCrowded: () => schedule.isCrowded,
    /** Decides what to do next, and whether due lanes have no place. */
    decide(at: { readonly now: number; readonly free: Readonly<Record<LaneKind, number>> }) {
      schedule = noteCrowd(schedule, at);
      return { step: decideStep(schedule, at), isCrowded: schedule.isCrowded };
    },
  };
}
