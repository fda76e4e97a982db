import { expect, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import type { Clock } from './clock.ts';
import { createDeadlines } from './deadline.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function open() {
  const clock = createFakeClock(0);
  const sleeps: AbortSignal[] = [];
  const watched: Clock = {
    ...clock,
    sleep(milliseconds, signal) {
      if (signal !== undefined) sleeps.push(signal);
      return clock.sleep(milliseconds, signal);
    },
  };
  const passed: string[] = [];
  const deadlines = createDeadlines(watched);
  const add = (name: string, milliseconds: number) =>
    deadlines.add(milliseconds, () => void passed.push(name));
  return { clock, sleeps, passed, deadlines, add };
}

test('each deadline passes at its own time, in whatever order they were set', async () => {
  const { clock, passed, add } = open();
  add('late', 30);
  add('early', 10);
  add('middle', 20);
  for (const expected of [['early'], ['early', 'middle'], ['early', 'middle', 'late']]) {
    await turn();
    clock.advance(9);
    await turn();
    expect(passed).toEqual(expected.slice(0, -1));
    clock.advance(1);
    await turn();
    expect(passed).toEqual(expected);
  }
});

test('a clock that is set back delays no deadline', async () => {
  const { clock, passed, add } = open();
  add('first', 10);
  clock.setBack(3_600_000);
  add('earlier', 5);
  await turn();
  clock.advance(5);
  await turn();
  clock.advance(5);
  await turn();
  expect(passed).toEqual(['earlier', 'first']);
});

test('a deleted deadline never passes', async () => {
  const { clock, passed, deadlines, add } = open();
  const answered = add('answered', 10);
  add('silent', 10);
  deadlines.delete(answered);
  clock.advance(10);
  await turn();
  expect(passed).toEqual(['silent']);
});

test('many deadlines share one sleep, and no sleep remains that would keep the process running', async () => {
  const { sleeps, deadlines, add } = open();
  for (let n = 0; n < 10; n++) {
    deadlines.delete(add('answered', 10 + n));
  }
  expect(sleeps.length).toBe(1);
  await turn();
  expect(sleeps.map(({ aborted }) => aborted)).toEqual([true]);
  add('next', 50);
  expect(sleeps.length).toBe(2);
});
