import { expect, test } from 'vitest';
import { formatPlaces, parsePlaces } from './stream-place.ts';

test('a place is read as it was written', () => {
  const places = new Map([
    ['a', 3],
    ['b', 70],
  ]);
  expect(parsePlaces(formatPlaces(places))).toEqual(places);
});

test.each(['', 'x', '12', Buffer.from('[["a"]]').toString('base64url')])('%j is no place', (id) => {
  expect(parsePlaces(id)).toBeUndefined();
});
