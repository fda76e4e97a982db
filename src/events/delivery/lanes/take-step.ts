import type { Database } from '../../../kernel/database/database.ts';
import type { Alarm } from '../../../kernel/lifecycle/alarm.ts';
import { giveWay } from '../../../kernel/lifecycle/give-way.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { claimLanes, freeForgottenLanes, nextDueAt } from '../../store/lanes/lane-store.ts';
import type { DeliveryStep, ScheduleEvent } from '../schedule/delivery-schedule.ts';
import type { LanePool } from './lane-pool.ts';

export type StepOptions = {
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
