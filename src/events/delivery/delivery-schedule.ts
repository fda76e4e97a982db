import type { LaneKind } from '../store/lane-store.ts';

/** When a process looks for lanes, as far as it knows. Times are those of the clock, in milliseconds. */
export type DeliverySchedule = {
  /** When lanes of each kind are due. */
  readonly dueAt: Readonly<Record<LaneKind, number>>;
  /** When it looks for whatever is due, which makes up for a lost notification. */
  readonly lookAgainAt: number;
  /** Since when it has been looking, so that nothing is overslept that fell due meanwhile. */
  readonly since: number;
  /** Until when it may sleep; undefined while the store has not been asked for what falls due next. */
  readonly wakeAt: number | undefined;
  /** Whether lanes are due that have no place: then those who have one take turns. */
  readonly isCrowded: boolean;
};

/** What to do next. */
export type DeliveryStep =
  | { readonly do: 'look' }
  | { readonly do: 'claim'; readonly kind: LaneKind; readonly limit: number }
  | { readonly do: 'plan'; readonly since: number }
  | { readonly do: 'sleep'; readonly until: number };

/** What has happened. */
export type ScheduleEvent =
  /** Lanes fall due, the first of each kind at these times. */
  | { readonly kind: 'due'; readonly first: Readonly<Record<LaneKind, number>> }
  /** The sleep is over, or anything may be due. */
  | { readonly kind: 'woken'; readonly now: number }
  | { readonly kind: 'looked'; readonly now: number }
  /** Lanes are being claimed: what falls due from now on is looked for once more. */
  | { readonly kind: 'claiming'; readonly lanes: LaneKind }
  /** As many were claimed as were asked for, so that there may be more. */
  | { readonly kind: 'full'; readonly lanes: LaneKind }
  /** The store told what falls due after `since`. */
  | { readonly kind: 'planned'; readonly next: Readonly<Record<LaneKind, number>> };

/** Makes up for a lost notification. */
const longestSleep = 5_000;
/** One that waits longer than this for its endpoint frees its place, which is then looked for. */
export const slowAfter = 1_000;
/** Few, so that processes woken together share the work. */
const lanesInClaim = 64;

/** Everything may be due. */
export function openSchedule(now: number): DeliverySchedule {
  return {
    dueAt: { others: 0, failing: 0 },
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
  const { dueAt, lookAgainAt, since, wakeAt } = schedule;
  if (now >= lookAgainAt) return { do: 'look' };
  for (const kind of ['others', 'failing'] as const) {
    if (now < dueAt[kind] || free[kind] <= 0) continue;
    return { do: 'claim', kind, limit: Math.min(free[kind], lanesInClaim) };
  }
  return wakeAt === undefined ? { do: 'plan', since } : { do: 'sleep', until: wakeAt };
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
    case 'woken':
      return { ...schedule, since: event.now, wakeAt: undefined };
    case 'looked':
      return { ...openSchedule(event.now), isCrowded: schedule.isCrowded };
    case 'claiming':
      return { ...schedule, dueAt: { ...dueAt, [event.lanes]: Infinity } };
    case 'full':
      return { ...schedule, dueAt: { ...dueAt, [event.lanes]: 0 } };
    case 'planned':
      return plan(schedule, inSlots(event.next, slot));
  }
}

/** The same schedule, knowing whether lanes are due that have no place. */
export function noteCrowd(
  schedule: DeliverySchedule,
  { now, free }: { readonly now: number; readonly free: Readonly<Record<LaneKind, number>> },
): DeliverySchedule {
  if (now < schedule.dueAt.others) return schedule;
  return { ...schedule, isCrowded: free.others <= 0 };
}

/** Whether a place that became free is waited for. */
export function isPlaceAwaited({ dueAt, isCrowded }: DeliverySchedule, now: number): boolean {
  return isCrowded || dueAt.failing <= now;
}

/** What is due and has no place is looked for when one is free, not at a time. */
function plan(
  schedule: DeliverySchedule,
  next: Readonly<Record<LaneKind, number>>,
): DeliverySchedule {
  const { dueAt, since, isCrowded } = schedule;
  let wakeAt = since + (isCrowded ? slowAfter : longestSleep);
  for (const kind of ['others', 'failing'] as const) {
    const hasNoPlace = dueAt[kind] <= since;
    wakeAt = Math.min(wakeAt, hasNoPlace ? next[kind] : Math.min(dueAt[kind], next[kind]));
  }
  return { ...schedule, dueAt: earliest(dueAt, next), wakeAt };
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

/** What failed and falls due within a slot of time is taken at its end, with one claim. */
function inSlots(
  { others, failing }: Readonly<Record<LaneKind, number>>,
  slot: number,
): Record<LaneKind, number> {
  return { others, failing: Math.ceil(failing / slot) * slot };
}
