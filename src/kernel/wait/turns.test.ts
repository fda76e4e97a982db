import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { systemClock } from './clock.ts';
import { giveWay, shareTurn } from './turns.ts';

it('runs each step of all callers of one turn back to back', async () => {
  const nextTurn = shareTurn(systemClock);
  const steps: string[] = [];
  const work = async (name: string) => {
    await nextTurn();
    steps.push(`${name} reads`);
    await Promise.resolve();
    steps.push(`${name} signs`);
  };
  await Promise.all([work('one'), work('two')]);
  expect(steps).toEqual(['one reads', 'two reads', 'one signs', 'two signs']);
});

it('takes one turn for all callers, and another for those who come later', async () => {
  let turns = 0;
  const nextTurn = shareTurn({
    ...systemClock,
    turn() {
      turns += 1;
      return systemClock.turn();
    },
  });
  await Promise.all([nextTurn(), nextTurn(), nextTurn()]);
  expect(turns).toBe(1);
  await nextTurn();
  expect(turns).toBe(2);
});

/** Keeps the event loop busy for so many turns of a millisecond each. */
async function keepBusy(clock: ReturnType<typeof createFakeClock>, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await nextTurn();
    clock.advance(1);
  }
}

test('continues at once if no other work is pending', async () => {
  const clock = createFakeClock();
  await giveWay(clock);
  expect(clock.elapsed()).toBe(0);
});

test('lets other work finish first', async () => {
  const clock = createFakeClock();
  let hasGoneOn = false;
  const going = giveWay(clock).then(() => (hasGoneOn = true));
  await keepBusy(clock, 6);
  expect(hasGoneOn).toBe(false);
  await clock.whenAsleep();
  clock.advance(1);
  await going;
});

test('continues after ten milliseconds even if other work is unfinished', async () => {
  const clock = createFakeClock();
  const others = keepBusy(clock, 100);
  await giveWay(clock);
  expect(clock.elapsed()).toBeGreaterThanOrEqual(10);
  expect(clock.elapsed()).toBeLessThan(20);
  await others;
});
