import { expect, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { createBoundedMap, rememberAnswers } from './remembered.ts';

test('an answer is cached for its lifetime, counted from the question', async () => {
  const { clock, answerOf, questions } = setUp();
  expect(await answerOf('a')).toBe(1);
  clock.advance(999);
  expect(await answerOf('a')).toBe(1);
  clock.advance(1);
  expect(await answerOf('a')).toBe(2);
  expect(questions()).toBe(2);
});

test('a clock that is set back does not prolong the lifetime of an answer [D6]', async () => {
  const { clock, answerOf } = setUp();
  await answerOf('a');
  clock.setBack(3_600_000);
  clock.advance(1_000);
  expect(await answerOf('a')).toBe(2);
});

test('a forgotten answer is asked for again, even while the first question is open', async () => {
  const { answers, answerOf } = setUp();
  const first = answerOf('a');
  answers.forget('a');
  expect([await answerOf('a'), await first, await answerOf('a')]).toEqual([2, 1, 2]);
});

test('concurrent questions for one key share one request', async () => {
  const { answerOf, questions } = setUp();
  expect(await Promise.all([answerOf('a'), answerOf('a'), answerOf('b')])).toEqual([1, 1, 2]);
  expect(questions()).toBe(2);
});

test('a failure rejects all who wait for it, and the next question asks again', async () => {
  const { answers, answerOf } = setUp();
  const fail = () => Promise.reject(new Error('away'));
  const both = await Promise.allSettled([answers.get('a', fail), answerOf('a')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await answerOf('a')).toBe(1);
});

function setUp() {
  const clock = createFakeClock();
  const answers = rememberAnswers<number>({ keptFor: 1_000, most: 10, clock });
  let count = 0;
  const ask = async () => ++count;
  return {
    clock,
    answers,
    answerOf: (key: string) => answers.get(key, ask),
    questions: () => count,
  };
}

const read = (map: { get(key: string): number | undefined }) =>
  ['a', 'b', 'c'].filter((key) => map.get(key) !== undefined).join('');

test('a bounded map drops the oldest entry', () => {
  const map = createBoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('c', 3);
  expect(read(map)).toBe('bc');
});

test('setting a key of a bounded map again makes it the newest', () => {
  const map = createBoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  expect(read(map)).toBe('ac');
  expect(map.get('a')).toBe(3);
});

test('deleting a key of a bounded map frees its place', () => {
  const map = createBoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.delete('b');
  map.set('c', 3);
  expect(read(map)).toBe('ac');
});
