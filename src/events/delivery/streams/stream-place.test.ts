import { expect, test } from 'vitest';
import { formatPlaces, parsePlaces } from './stream-place.ts';

const lanesOf = (...numbers: readonly number[]) =>
  numbers.map((lane) => ({ lane, subscriptionId: `s${lane}` }));

test('a place survives being formatted and parsed', () => {
  const places = new Map([
    [3, 0],
    [4, 127],
    [200, 128],
    [70_000, 1_000_000],
    [70_001, Number.MAX_SAFE_INTEGER],
  ]);
  expect(parsePlaces(formatPlaces(lanesOf(...places.keys()), places), [])).toEqual(places);
});

test('the places of two thousand lanes fit into a header [N5]', () => {
  const lanes = lanesOf(...Array.from({ length: 2_000 }, (_, index) => 500_000 + 100 * index));
  const places = new Map(lanes.map(({ lane }) => [lane, 1_000_000]));
  expect(formatPlaces(lanes, places).length).toBeLessThan(14_000);
});

test('a place in the earlier format can still be parsed', () => {
  const id = Buffer.from('[["s3",7],["gone",8]]').toString('base64url');
  expect(parsePlaces(id, lanesOf(3, 4))).toEqual(new Map([[3, 7]]));
});

test.each([
  '',
  'x',
  '12',
  Buffer.from('[["a"]]').toString('base64url'),
  Buffer.from([1, 3]).toString('base64url'),
  Buffer.from([1, 3, 128]).toString('base64url'),
  Buffer.from([1, 3, ...Array(9).fill(255), 1]).toString('base64url'),
])('%j is no place', (id) => {
  expect(parsePlaces(id, lanesOf(3))).toBeUndefined();
});
