import { expect, test, vi } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { createSteadyClock, systemClock } from './clock.ts';

test('a sleep until a moment that is over ends without a warning of the runtime', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  await systemClock.sleep(-53.5);
  expect(warn).not.toHaveBeenCalled();
});

const hour = 3_600_000;

test("the steady clock follows the machine's clock when that advances or jumps ahead", () => {
  const machine = createFakeClock(1_000);
  const clock = createSteadyClock(machine);
  machine.advance(500);
  expect([clock.now(), clock.ahead()]).toEqual([1_500, 0]);
  machine.setBack(-hour);
  expect([clock.now(), clock.ahead()]).toEqual([1_500 + hour, 0]);
});

test("the steady clock runs at half speed after the machine's clock was set back, until that catches up [D6]", () => {
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

test('the steady clock is never before a recorded time, unless that is implausibly far ahead [D6]', () => {
  const machine = createFakeClock(10 * hour);
  const clock = createSteadyClock(machine);
  clock.notBefore(11 * hour);
  expect(clock.now()).toBe(11 * hour);
  clock.notBefore(9 * hour);
  expect(clock.now()).toBe(11 * hour);
  clock.notBefore(40 * hour);
  expect(clock.now()).toBe(11 * hour);
});
