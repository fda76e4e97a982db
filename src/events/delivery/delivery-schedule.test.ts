import { describe, expect, test } from 'vitest';
import {
  changeSchedule,
  type DeliverySchedule,
  decideStep,
  isPlaceAwaited,
  noteCrowd,
  openSchedule,
  type ScheduleEvent,
} from './delivery-schedule.ts';

const slot = 100;
const places = { others: 512, failing: 128 };
const none = { others: 0, failing: 0 };
const never = { others: Infinity, failing: Infinity };

function after(schedule: DeliverySchedule, ...events: ScheduleEvent[]): DeliverySchedule {
  return events.reduce((before, event) => changeSchedule(before, event, slot), schedule);
}

/** A schedule that has claimed all due lanes at 1,000, and sleeps. */
const idle = after(
  openSchedule(1_000),
  { kind: 'claiming', lanes: 'others' },
  { kind: 'claiming', lanes: 'failing' },
  { kind: 'planned', next: never },
);

describe('the schedule of deliveries', () => {
  test('begins with claims of both kinds, asks what falls due next and sleeps', () => {
    let schedule = openSchedule(1_000);
    const decide = () => decideStep(schedule, { now: 1_000, free: places });
    expect(decide()).toEqual({ do: 'claim', kind: 'others', limit: 64 });
    schedule = after(schedule, { kind: 'claiming', lanes: 'others' });
    expect(decide()).toEqual({ do: 'claim', kind: 'failing', limit: 64 });
    schedule = after(schedule, { kind: 'claiming', lanes: 'failing' });
    expect(decide()).toEqual({ do: 'plan', since: 1_000 });
    schedule = after(schedule, { kind: 'planned', next: never });
    expect(decide()).toEqual({ do: 'sleep', until: 6_000 });
  });

  test('claims again after a full claim', () => {
    const schedule = after(idle, { kind: 'full', lanes: 'others' });
    expect(decideStep(schedule, { now: 1_001, free: places })).toMatchObject({ do: 'claim' });
  });

  test('sleeps until what falls due next, failing lanes at the end of their slot [E14.28]', () => {
    const at = (next: { others: number; failing: number }) =>
      after(idle, { kind: 'woken', now: 1_000 }, { kind: 'planned', next }).wakeAt;
    expect(at({ others: 1_250, failing: Infinity })).toBe(1_250);
    expect(at({ others: Infinity, failing: 1_250 })).toBe(1_300);
  });

  test('plans from the moment of its wake, so that it misses nothing that fell due meanwhile', () => {
    const woken = after(idle, { kind: 'woken', now: 2_000 });
    const schedule = after(woken, { kind: 'claiming', lanes: 'others' });
    expect(decideStep(schedule, { now: 2_500, free: places })).toEqual({
      do: 'plan',
      since: 2_000,
    });
  });

  test('claims due lanes, and no more than it has places for [E12.4]', () => {
    const schedule = after(idle, { kind: 'due', first: { others: 0, failing: Infinity } });
    const decide = (free: typeof places) => decideStep(schedule, { now: 1_500, free });
    expect(decide({ others: 3, failing: 3 })).toEqual({ do: 'claim', kind: 'others', limit: 3 });
    expect(decide(none)).toEqual({ do: 'sleep', until: 6_000 });
  });

  test('claims by name the lanes it was notified of, without changing its plan [D4]', () => {
    const told = after(idle, { kind: 'told', lanes: [7, 8] }, { kind: 'woken', now: 1_500 });
    const decide = (schedule: DeliverySchedule, free = places) =>
      decideStep(schedule, { now: 1_500, free });
    expect(decide(told)).toEqual({ do: 'claim', kind: 'others', limit: 64, lanes: [7, 8] });
    const few = { others: 1, failing: 1 };
    expect(decide(told, few)).toMatchObject({ limit: 1, lanes: [7] });
    const claimed = after(told, { kind: 'claimingTold', lanes: [7, 8] });
    expect(decide(claimed)).toEqual({ do: 'sleep', until: 6_000 });
    const crowded = noteCrowd(told, { now: 1_500, free: none });
    expect(crowded).toMatchObject({ isCrowded: true, told: [], dueAt: { others: 0 } });
  });

  test('detects a lack of places, checks again sooner, and waits for a place [E12.4]', () => {
    const due = after(idle, { kind: 'due', first: { others: 0, failing: Infinity } });
    const crowded = noteCrowd(due, { now: 1_500, free: none });
    expect(crowded.isCrowded).toBe(true);
    expect(isPlaceAwaited(crowded, 1_500)).toBe(true);
    const slept = after(crowded, { kind: 'woken', now: 1_500 }, { kind: 'planned', next: never });
    expect(slept.wakeAt).toBe(2_500);
    expect(noteCrowd(slept, { now: 2_000, free: places }).isCrowded).toBe(false);
    expect(isPlaceAwaited(idle, 1_500)).toBe(false);
  });

  test('looks for whatever is due every five seconds', () => {
    expect(decideStep(idle, { now: 6_000, free: places })).toEqual({ do: 'look' });
    const looked = after(idle, { kind: 'looked', now: 6_000 });
    expect(decideStep(looked, { now: 6_000, free: places })).toMatchObject({ do: 'claim' });
    expect(looked.lookAgainAt).toBe(11_000);
  });
});
