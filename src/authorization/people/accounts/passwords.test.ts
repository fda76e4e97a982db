import { expect, test } from 'vitest';
import { createTwoLanes, type Lane } from './passwords.ts';

/** Two lanes with room for two waiters each. One call passes at a time, and `passed` records the names. */
function open() {
  const lanes = createTwoLanes({ places: 1, most: { first: 2, second: 2 } });
  const passed: string[] = [];
  const ends: (() => void)[] = [];
  const come = (name: string, lane: Lane) =>
    lanes.pass(() => {
      passed.push(name);
      return new Promise<void>((end) => void ends.push(end));
    }, lane);
  const endOne = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { lanes, passed, come, endOne };
}

test('the second lane runs when nobody waits in the first, and each lane keeps its order [F9]', async () => {
  const { passed, come, endOne } = open();
  for (const name of ['a', 'b', 'c']) void come(name, 'second');
  for (const name of ['x', 'y']) void come(name, 'first');
  for (let count = 0; count < 5; count++) await endOne();
  expect(passed).toEqual(['a', 'x', 'y', 'b', 'c']);
});

test('a full lane leaves the room of the other untouched, and a failed pass frees its place [F9]', async () => {
  const { lanes, passed, come, endOne } = open();
  expect([lanes.hasRoom('first'), lanes.hasRoom('second')]).toEqual([true, true]);
  for (const name of ['a', 'b', 'c']) void come(name, 'second');
  expect([lanes.hasRoom('first'), lanes.hasRoom('second')]).toEqual([true, false]);
  for (const name of ['x', 'y']) void come(name, 'first');
  expect([lanes.hasRoom('first'), lanes.hasRoom('second')]).toEqual([false, false]);
  for (let count = 0; count < 5; count++) await endOne();
  const failing = lanes.pass(async () => {
    throw new Error('failed');
  }, 'first');
  await expect(failing).rejects.toThrow('failed');
  void come('z', 'second');
  await endOne();
  expect(passed.at(-1)).toBe('z');
});
