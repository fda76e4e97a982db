import { expect, test } from 'vitest';
import { createBoundedMap } from './bounded-map.ts';

const read = (map: { get(key: string): number | undefined }) =>
  ['a', 'b', 'c'].filter((key) => map.get(key) !== undefined).join('');

test('a bounded map forgets what was set longest ago', () => {
  const map = createBoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('c', 3);
  expect(read(map)).toBe('bc');
});

test('what is set again in a bounded map is the youngest', () => {
  const map = createBoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  expect(read(map)).toBe('ac');
  expect(map.get('a')).toBe(3);
});

test('what was deleted from a bounded map leaves its place to others', () => {
  const map = createBoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.delete('b');
  map.set('c', 3);
  expect(read(map)).toBe('ac');
});
