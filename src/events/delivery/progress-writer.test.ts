import { expect, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import type { LaneProgress } from '../store/lanes/write-lane-progress.ts';
import { createProgressWriter } from './progress-writer.ts';

/** Enough turns for code that yields to others first. */
async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
}

function open() {
  const clock = createFakeClock();
  const writes: LaneProgress[][] = [];
  const failures: unknown[] = [];
  let failsNext = false;
  const writer = createProgressWriter({
    write: async ({ progress }) => {
      if (failsNext) {
        failsNext = false;
        throw new Error('The disk is full.');
      }
      writes.push(structuredClone([...progress]));
      return { lost: [], isMoreDue: false };
    },
    owner: 'owner',
    clock,
    signal: new AbortController().signal,
    onLost: () => {},
    onDue: () => {},
    onFailure: (error) => failures.push(error),
  });
  const advance = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await someTurns();
  };
  return { clock, writer, writes, failures, advance, failNext: () => (failsNext = true) };
}

const positionOf = (lane: number) => ({
  lane,
  claim: 1,
  cursor: 0,
  attempts: 0,
  triedThrough: 0,
  failingSince: undefined,
});
const attemptAt = (number: number) => ({ first: number, last: number, at: 0, durationMs: 1 });

test('writes the progress of many lanes in one commit, each up to its cursor', async () => {
  const { writer, writes, advance } = open();
  for (const position of [positionOf(1), positionOf(2)]) {
    for (let number = 1; number <= 3; number++) {
      position.cursor = number;
      expect(writer.note(position, attemptAt(number))).toBeUndefined();
    }
  }
  await advance(5);
  expect(writes).toEqual([]);
  await advance(100);
  const written = writes[0]?.map(({ lane, cursor, log }) => [lane, cursor, log.length]);
  expect(written).toEqual([
    [1, 3, 3],
    [2, 3, 3],
  ]);
});

test('writes the release of a lane sooner, since its next event waits for that', async () => {
  const { writer, writes, advance } = open();
  const position = positionOf(1);
  void writer.note(position, attemptAt(1));
  const released = writer.release(position);
  await advance(5);
  expect(writes.map(([one]) => one?.isReleased)).toEqual([true]);
  await released;
});

test('writes a burst sooner than a single attempt once its lane rests', async () => {
  const { writer, writes, advance } = open();
  const position = positionOf(1);
  const note = () => writer.note(position, attemptAt(++position.cursor));
  note();
  writer.rest(position);
  await advance(5);
  expect(writes).toEqual([]);
  for (let more = 1; more < 10; more++) note();
  writer.rest(position);
  await advance(0);
  expect(writes.map(([one]) => one?.cursor)).toEqual([10]);
});

test('does not hurry to release a lane that pauses before its next attempt', async () => {
  const { writer, writes, advance, clock } = open();
  const released = writer.release(positionOf(1), clock.now() + 1_000);
  await advance(5);
  expect(writes).toEqual([]);
  await advance(100);
  expect(writes.map(([one]) => one?.isReleased)).toEqual([true]);
  await released;
});

test('holds up a lane that is too far ahead of the store, having written as early as it may', async () => {
  const { writer, writes, advance } = open();
  const position = positionOf(1);
  const note = () => writer.note(position, attemptAt(++position.cursor));
  const lagging = Array.from({ length: 500 }, note);
  expect(lagging.findIndex((one) => one !== undefined)).toBe(499);
  await advance(5);
  expect(writes).toHaveLength(1);
  await lagging.at(-1);
});

test('retries a failed write without what was noted after it', async () => {
  const { writer, writes, failures, advance, failNext } = open();
  const position = positionOf(1);
  position.cursor = 1;
  void writer.note(position, attemptAt(1));
  failNext();
  await advance(5);
  await advance(100);
  expect(failures).toHaveLength(1);
  position.cursor = 2;
  void writer.note(position, attemptAt(2));
  await advance(1_000);
  expect(writes.map(([one]) => one?.cursor)).toEqual([1]);
  await advance(5);
  await advance(100);
  expect(writes.map(([one]) => one?.cursor)).toEqual([1, 2]);
});
