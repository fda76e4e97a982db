import { expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../../tests/support/fake-clock.ts';
import { createLaneCalls, type LaneCall } from './lane-calls.ts';

const never = new AbortController().signal;

async function waitsInVain(lane: LaneCall, clock: FakeClock): Promise<boolean> {
  const wait = lane.wait(never);
  clock.advance(1_000);
  return !(await wait);
}

test('a waiting lane is notified of its own events, and not of those of other lanes', async () => {
  const calls = createLaneCalls(createFakeClock());
  const [first, second] = [calls.enter(1), calls.enter(2)];
  const waits = [first.wait(never), second.wait(never)];
  expect([first.isWaiting, second.isWaiting]).toEqual([true, true]);
  calls.tell([2, 3]);
  expect(await waits[1]).toBe(true);
  expect([first.isWaiting, second.isWaiting]).toEqual([true, false]);
  calls.tellAll();
  expect(await waits[0]).toBe(true);
});

test('waits no longer than a second', async () => {
  const clock = createFakeClock();
  expect(await waitsInVain(createLaneCalls(clock).enter(1), clock)).toBe(true);
});

test('an event that arrives while a lane is busy ends its next wait, unless the lane forgets it', async () => {
  const clock = createFakeClock();
  const calls = createLaneCalls(clock);
  const lane = calls.enter(1);
  calls.tell([1]);
  expect(await lane.wait(never)).toBe(true);
  calls.tell([1]);
  lane.forget();
  expect(await waitsInVain(lane, clock)).toBe(true);
});

test('a lane that was lost and claimed again is notified, and a released one is not', async () => {
  const clock = createFakeClock();
  const calls = createLaneCalls(clock);
  const lost = calls.enter(1);
  const again = calls.enter(1);
  lost.leave();
  calls.tell([1]);
  expect(await again.wait(never)).toBe(true);
  again.leave();
  calls.tell([1]);
  expect(await waitsInVain(again, clock)).toBe(true);
});

test('at most 512 lanes wait', async () => {
  const clock = createFakeClock();
  const calls = createLaneCalls(clock);
  const waits = Array.from({ length: 512 }, (_, lane) => calls.enter(lane).wait(never));
  expect(await calls.enter(512).wait(never)).toBe(false);
  clock.advance(1_000);
  await Promise.all(waits);
  const wait = calls.enter(513).wait(never);
  calls.tell([513]);
  expect(await wait).toBe(true);
});
