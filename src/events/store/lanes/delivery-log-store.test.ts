import { describe, expect, test } from 'vitest';
import { type ExceptionRange, splitLane } from './delivery-log-store.ts';

const lane = (cursor: number, attempts = 0, tried_through = 0) => ({
  last_number: 40,
  cursor,
  attempts,
  tried_through,
});
const held = (first_number: number, last_number: number | null): ExceptionRange => ({
  first_number,
  last_number,
  state: 'HELD',
  reason: 'USER_SCOPE_REVOKED',
});
const givenUp = (first_number: number, last_number: number): ExceptionRange => ({
  ...held(first_number, last_number),
  state: 'UNDELIVERED',
});

describe('splitLane', () => {
  test('separates delivered, retried and pending events [E14.34]', () => {
    expect(told(splitLane(lane(5, 2, 8), { exceptions: [], after: 0 }))).toEqual([
      '1-5 DELIVERED',
      '6-8 RETRYING',
      '9-40 PENDING',
    ]);
    expect(told(splitLane(lane(5, 0, 8), { exceptions: [], after: 0 }))).toEqual([
      '1-5 DELIVERED',
      '6-40 PENDING',
    ]);
    expect(told(splitLane(lane(0), { exceptions: [], after: 0 }))).toEqual(['1-40 PENDING']);
  });

  test('sets apart what was given up and held [E12.5]', () => {
    const exceptions = [givenUp(3, 4), held(5, 9), held(12, 12)];
    expect(told(splitLane(lane(20), { exceptions, after: 0 }))).toEqual([
      '1-2 DELIVERED',
      '3-4 UNDELIVERED',
      '5-9 HELD',
      '10-11 DELIVERED',
      '12-12 HELD',
      '13-20 DELIVERED',
      '21-40 PENDING',
    ]);
  });

  test('begins after a number, even within a range', () => {
    expect(told(splitLane(lane(20), { exceptions: [held(5, 9)], after: 6 }))).toEqual([
      '7-9 HELD',
      '10-20 DELIVERED',
      '21-40 PENDING',
    ]);
    expect(told(splitLane(lane(20), { exceptions: [], after: 30 }))).toEqual(['31-40 PENDING']);
  });

  test('ends with the last number, though an exception that was read later goes beyond', () => {
    expect(told(splitLane(lane(20), { exceptions: [held(30, 50)], after: 25 }))).toEqual([
      '26-29 PENDING',
      '30-40 HELD, notices PENDING',
    ]);
    expect(splitLane(lane(20), { exceptions: [held(5, null)], after: 40 })).toEqual([]);
  });

  test('has the lifecycle events of a suspended lane pending among what is held [E14.32]', () => {
    expect(told(splitLane(lane(7), { exceptions: [held(4, null)], after: 0 }))).toEqual([
      '1-3 DELIVERED',
      '4-7 HELD',
      '8-40 HELD, notices PENDING',
    ]);
  });
});

function told(stretches: ReturnType<typeof splitLane>): string[] {
  return stretches.map(({ first, last, state, noticeState, reason }) => {
    expect(reason !== undefined).toBe(state === 'HELD' || state === 'UNDELIVERED');
    return `${first}-${last} ${state}${state === noticeState ? '' : `, notices ${noticeState}`}`;
  });
}
