import { expect, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { createSteadyClock } from './steady-clock.ts';

const hour = 3_600_000;

test('its time is that of the machine, whether it goes or jumps ahead', () => {
  const machine = createFakeClock(1_000);
  const clock = createSteadyClock(machine);
  machine.advance(500);
  expect([clock.now(), clock.ahead()]).toEqual([1_500, 0]);
  machine.setBack(-hour);
  expect([clock.now(), clock.ahead()]).toEqual([1_500 + hour, 0]);
});

test('it goes on at half speed while that of the machine was set back, until that has caught up [D6]', () => {
  const machine = createFakeClock(10 * hour);
  const clock = createSteadyClock(machine);
  machine.setBack(hour);
  expect([clock.now(), clock.ahead()]).toEqual([10 * hour, hour]);
  machine.advance(1_000);
  expect(clock.now()).toBe(10 * hour + 500);
  machine.advance(2 * hour - 1_000);
  expect([clock.now(), clock.ahead()]).toEqual([11 * hour, 0]);
  machine.advance(1_000);
  expect(clock.now()).toBe(11 * hour + 1_000);
});

test('it is no earlier than what has been, unless that was written by a clock that was wrong [D6]', () => {
  const machine = createFakeClock(10 * hour);
  const clock = createSteadyClock(machine);
  clock.notBefore(11 * hour);
  expect(clock.now()).toBe(11 * hour);
  clock.notBefore(9 * hour);
  expect(clock.now()).toBe(11 * hour);
  clock.notBefore(40 * hour);
  expect(clock.now()).toBe(11 * hour);
});
