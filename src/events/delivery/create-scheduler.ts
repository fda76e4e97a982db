import type { Database } from '../../kernel/database/database.ts';
import { type Alarm, createAlarm } from '../../kernel/wait/alarm.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { giveWay } from '../../kernel/wait/turns.ts';
import {
  claimLanes,
  freeForgottenLanes,
  type LaneKind,
  nextDueAt,
} from '../store/lanes/lane-store.ts';
import {
  changeSchedule,
  type DeliveryStep,
  decideStep,
  isPlaceAwaited,
  noteCrowd,
  openSchedule,
  type ScheduleEvent,
} from './delivery-schedule.ts';
import type { RetrySettings } from './lanes/deliver-lane.ts';
import type { LanePool } from './lanes/lane-pool.ts';

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

type StepOptions = {
  readonly database: Database;
  readonly pool: LanePool;
  readonly owner: string;
  readonly clock: Clock;
  /** Ends the sleep. */
  readonly alarm: Alarm;
  /** The milliseconds over which the starts of failing lanes that were claimed together are spread. */
  readonly slot: number;
  readonly signal: AbortSignal;
  /** Called with the outcome. */
  change(event: ScheduleEvent): void;
};

/** Does what the schedule decided, and reports the outcome to it. Rejects if the store fails. */
export async function takeStep(step: DeliveryStep, options: StepOptions): Promise<void> {
  const { database, pool, owner, clock, alarm, signal, change } = options;
  switch (step.do) {
    case 'look':
      await freeForgottenLanes(database, owner, pool.has);
      return change({ kind: 'looked', now: clock.now() });
    case 'claim':
      return claim(step, options);
    case 'plan':
      return change({ kind: 'planned', next: await nextDueAt(database, step.since) });
    case 'sleep':
      await alarm.sleep(step.until - clock.now(), signal);
      return change({ kind: 'woken', now: clock.now() });
  }
}

async function claim(
  { kind, limit, lanes }: DeliveryStep & { do: 'claim' },
  { database, pool, owner, clock, slot, signal, change }: StepOptions,
): Promise<void> {
  if (kind === 'failing') await giveWay(clock);
  if (signal.aborted) return;
  change(lanes === undefined ? { kind: 'claiming', lanes: kind } : { kind: 'claimingTold', lanes });
  const claimed = await claimLanes(database, { owner, now: clock.now(), limit, kind, lanes });
  const apart = kind === 'failing' ? slot / claimed.length : 0;
  for (const [index, lane] of claimed.entries()) {
    // After a crash of the database the claimed lane may be one that this process already delivers.
    if (pool.has(lane)) pool.tell([lane.lane]);
    else pool.start(lane, index * apart);
  }
  if (lanes === undefined && claimed.length === limit) change({ kind: 'full', lanes: kind });
}
