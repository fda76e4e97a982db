import { expect, it } from 'vitest';
import { createBag } from './bag.ts';

it('holds each thing until it is deleted, whatever the order', () => {
  const bag = createBag<number>();
  const held = [0, 1, 2, 3, 4].map((item) => bag.add(item));
  const left = () =>
    bag
      .all()
      .map(({ item }) => item)
      .sort();
  for (const [deleted, rest] of [
    [1, [0, 2, 3, 4]],
    [4, [0, 2, 3]],
    [0, [2, 3]],
  ] as const) {
    expect(bag.delete(held[deleted]!)).toBe(true);
    expect(left()).toEqual(rest);
    expect(bag.size).toBe(rest.length);
  }
  bag.add(5);
  expect(left()).toEqual([2, 3, 5]);
});

it('deletes nothing twice', () => {
  const bag = createBag<string>();
  const first = bag.add('first');
  bag.add('second');
  expect([bag.delete(first), bag.delete(first)]).toEqual([true, false]);
  expect(bag.all().map(({ item }) => item)).toEqual(['second']);
});
