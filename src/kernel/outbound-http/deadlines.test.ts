import { expect, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import type { Clock } from '../clock.ts';
import { createDeadlines } from './deadlines.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function open() {
  const clock = createFakeClock(0);
  const sleeps: AbortSignal[] = [];
  const watched: Clock = {
    now: clock.now,
    sleep(milliseconds, signal) {
      if (signal !== undefined) sleeps.push(signal);
      return clock.sleep(milliseconds, signal);
    },
  };
  const passed: string[] = [];
  const deadlineOf = (name: string, at: number) => ({ at, pass: () => void passed.push(name) });
  return { clock, sleeps, passed, deadlines: createDeadlines(watched), deadlineOf };
}

test('each passes at its own time, whatever the order they were set in', async () => {
  const { clock, passed, deadlines, deadlineOf } = open();
  deadlines.add(deadlineOf('late', 30));
  deadlines.add(deadlineOf('early', 10));
  deadlines.add(deadlineOf('middle', 20));
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

test('one that was taken back never passes', async () => {
  const { clock, passed, deadlines, deadlineOf } = open();
  const answered = deadlineOf('answered', 10);
  deadlines.add(answered);
  deadlines.add(deadlineOf('silent', 10));
  deadlines.delete(answered);
  clock.advance(10);
  await turn();
  expect(passed).toEqual(['silent']);
});

test('many share one sleep, and none is left over that would keep the process running', async () => {
  const { sleeps, deadlines, deadlineOf } = open();
  for (let n = 0; n < 10; n++) {
    const deadline = deadlineOf('answered', 10 + n);
    deadlines.add(deadline);
    deadlines.delete(deadline);
  }
  expect(sleeps.length).toBe(1);
  await turn();
  expect(sleeps.map(({ aborted }) => aborted)).toEqual([true]);
  deadlines.add(deadlineOf('next', 50));
  expect(sleeps.length).toBe(2);
});
