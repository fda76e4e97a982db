import type { LaneKind } from '../store/lanes/lane-store.ts';

/** When a process looks for lanes, as far as it knows now. Times are those of the clock, in milliseconds. */
export type DeliverySchedule = {
  /** When lanes of each kind are due. */
  readonly dueAt: Readonly<Record<LaneKind, number>>;
  /** Lanes named in notifications that no process has claimed. */
  readonly told: readonly number[];
  /** When the process looks for all due lanes, to make up for lost notifications. */
  readonly lookAgainAt: number;
  /** When the current look began, so that lanes that fall due meanwhile are not missed. */
  readonly since: number;
  /** Until when the process may sleep; undefined until the store has said which lanes fall due next. */
  readonly wakeAt: number | undefined;
  /** Whether due lanes have no place: then the lanes that have one take turns. */
  readonly isCrowded: boolean;
};

/** What to do next. */
export type DeliveryStep =
  | { readonly do: 'look' }
  /** If lanes are named, only those. */
  | {
      readonly do: 'claim';
      readonly kind: LaneKind;
      readonly limit: number;
      readonly lanes?: readonly number[];
    }
  | { readonly do: 'plan'; readonly since: number }
  | { readonly do: 'sleep'; readonly until: number };

/** What has happened. */
export type ScheduleEvent =
  /** Lanes fall due, the first of each kind at these times. */
  | { readonly kind: 'due'; readonly first: Readonly<Record<LaneKind, number>> }
  /** These lanes are due and no process has claimed them. */
  | { readonly kind: 'told'; readonly lanes: readonly number[] }
  /** The sleep is over, or was ended. */
  | { readonly kind: 'woken'; readonly now: number }
  | { readonly kind: 'looked'; readonly now: number }
  /** Lanes are being claimed: those that fall due from now on need another look. */
  | { readonly kind: 'claiming'; readonly lanes: LaneKind }
  | { readonly kind: 'claimingTold'; readonly lanes: readonly number[] }
  /** As many lanes were claimed as were asked for, so there may be more. */
  | { readonly kind: 'full'; readonly lanes: LaneKind }
  /** The store said what falls due after `since`. */
  | { readonly kind: 'planned'; readonly next: Readonly<Record<LaneKind, number>> };

/** Makes up for a lost notification. */
const longestSleep = 5_000;
/** A lane that waits longer than this for its endpoint frees its place for another. */
export const slowAfter = 1_000;
/** Few, so that processes woken together share the work. */
const lanesInClaim = 64;

/** The schedule at the start, when every lane may be due. */
export function openSchedule(now: number): DeliverySchedule {
  return {
    dueAt: { others: 0, failing: 0 },
    told: [],
    lookAgainAt: now + longestSleep,
    since: now,
    wakeAt: undefined,
    isCrowded: false,
  };
}

/** Decides what to do next, given the time and how many places are free for lanes of each kind. */
export function decideStep(
  schedule: DeliverySchedule,
  { now, free }: { readonly now: number; readonly free: Readonly<Record<LaneKind, number>> },
): DeliveryStep {
  const { dueAt, told, lookAgainAt, since, wakeAt } = schedule;
  if (now >= lookAgainAt) return { do: 'look' };
  const limit = Math.min(free.others, lanesInClaim);
  if (told.length > 0 && limit > 0) {
    return { do: 'claim', kind: 'others', limit, lanes: told.slice(0, limit) };
  }
  for (const kind of ['others', 'failing'] as const) {
    if (now < dueAt[kind] || free[kind] <= 0) continue;
    return { do: 'claim', kind, limit: Math.min(free[kind], lanesInClaim) };
  }
  if (wakeAt === undefined) return { do: 'plan', since };
  // Lanes that are due but have no place are claimed when a place becomes free, so they set no wake time.
  const later = [dueAt.others, dueAt.failing].filter((at) => at > now);
  return { do: 'sleep', until: Math.min(wakeAt, lookAgainAt, ...later) };
}

/** The schedule after something has happened. `slot` is the length of time in which failing lanes are taken together. */
export function changeSchedule(
  schedule: DeliverySchedule,
  event: ScheduleEvent,
  slot: number,
): DeliverySchedule {
  const { dueAt } = schedule;
  switch (event.kind) {
    case 'due':
      return { ...schedule, dueAt: earliest(dueAt, inSlots(event.first, slot)) };
    case 'told':
      return { ...schedule, told: [...schedule.told, ...event.lanes] };
    case 'woken':
      return { ...schedule, since: event.now, wakeAt: later(schedule.wakeAt, event.now) };
    case 'looked':
      return { ...openSchedule(event.now), isCrowded: schedule.isCrowded };
    case 'claiming':
      return { ...schedule, dueAt: { ...dueAt, [event.lanes]: Infinity }, wakeAt: undefined };
    case 'claimingTold':
      return { ...schedule, told: schedule.told.filter((lane) => !event.lanes.includes(lane)) };
    case 'full':
      return { ...schedule, dueAt: { ...dueAt, [event.lanes]: 0 } };
    case 'planned':
      return plan(schedule, inSlots(event.next, slot));
  }
}

/** The same schedule, updated with whether due lanes have no place. */
export function noteCrowd(
  schedule: DeliverySchedule,
  { now, free }: { readonly now: number; readonly free: Readonly<Record<LaneKind, number>> },
): DeliverySchedule {
  const { dueAt, told } = schedule;
  if (now < dueAt.others && told.length === 0) return schedule;
  if (free.others > 0) return { ...schedule, isCrowded: false };
  // The lanes from notifications are claimed with the other due lanes, once there is a place.
  return { ...schedule, dueAt: { ...dueAt, others: 0 }, told: [], isCrowded: true };
}

/** Whether due lanes wait for a place to become free. */
export function isPlaceAwaited({ dueAt, isCrowded }: DeliverySchedule, now: number): boolean {
  return isCrowded || dueAt.failing <= now;
}

function plan(
  schedule: DeliverySchedule,
  next: Readonly<Record<LaneKind, number>>,
): DeliverySchedule {
  const { dueAt, since, isCrowded } = schedule;
  const wakeAt = since + (isCrowded ? slowAfter : longestSleep);
  return {
    ...schedule,
    dueAt: earliest(dueAt, next),
    wakeAt: Math.min(wakeAt, next.others, next.failing),
  };
}

/** The time if it is still in the future. */
function later(at: number | undefined, now: number): number | undefined {
  return at !== undefined && at > now ? at : undefined;
}

function earliest(
  one: Readonly<Record<LaneKind, number>>,
  other: Readonly<Record<LaneKind, number>>,
): Record<LaneKind, number> {
  return {
    others: Math.min(one.others, other.others),
    failing: Math.min(one.failing, other.failing),
  };
}

/** Failing lanes that fall due within a slot are claimed together at its end. */
function inSlots(
  { others, failing }: Readonly<Record<LaneKind, number>>,
  slot: number,
): Record<LaneKind, number> {
  return { others, failing: Math.ceil(failing / slot) * slot };
}
