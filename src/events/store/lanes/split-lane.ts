import type { DeliveryState } from '../../model/logged-delivery.ts';

/** The columns of a lane from which the states of its deliveries follow. */
export type LaneReach = {
  readonly last_number: number;
  readonly cursor: number;
  readonly attempts: number;
  readonly tried_through: number;
};

/** A range of numbers that were held or given up; one without an end still grows. */
export type ExceptionRange = {
  readonly first_number: number;
  readonly last_number: number | null;
  readonly state: 'HELD' | 'UNDELIVERED';
  readonly reason: string;
};

/** Numbers of a lane that share a state, except that lifecycle events among them may have their own. */
export type Stretch = {
  readonly first: number;
  readonly last: number;
  readonly state: DeliveryState;
  readonly noticeState: DeliveryState;
  /** Why they were held or given up. */
  readonly reason: string | undefined;
};

/**
 * Splits the numbers of a lane after `after` into stretches without gaps, up to the last number. Takes the exceptions
 * that end after it, in order and without overlaps. An exception does not hold lifecycle events after the cursor: these
 * are still sent (E14.32).
 */
export function splitLane(
  lane: LaneReach,
  { exceptions, after }: { exceptions: readonly ExceptionRange[]; after: number },
): Stretch[] {
  const { last_number: end, cursor, attempts, tried_through } = lane;
  const triedThrough = attempts > 0 ? Math.max(cursor, tried_through) : cursor;
  const ends = [cursor, triedThrough, end];
  for (const { first_number, last_number } of exceptions) {
    ends.push(first_number - 1, last_number ?? end);
  }
  const stretches: Stretch[] = [];
  let [next] = exceptions;
  let passed = 0;
  let first = after + 1;
  for (const last of ends.sort((a, b) => a - b)) {
    if (last < first || last > end) continue;
    while (next?.last_number != null && next.last_number < first) next = exceptions[++passed];
    const reached = first <= cursor ? 'DELIVERED' : first <= triedThrough ? 'RETRYING' : 'PENDING';
    const exception = next !== undefined && next.first_number <= first ? next : undefined;
    const state = exception?.state ?? reached;
    const noticeState = first <= cursor ? state : reached;
    stretches.push({ first, last, state, noticeState, reason: exception?.reason });
    first = last + 1;
  }
  return stretches;
}
