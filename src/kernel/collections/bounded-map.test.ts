import { expect, test } from 'vitest';
import { createBoundedMap } from './bounded-map.ts';

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
