import { expect, test } from 'vitest';
import { indexMatches, matchKeysOf } from './index-matches.ts';

const anyone = { isNarrow: false, account: 'users/ada', seesAll: false };
const folder = '//drive.googleapis.com/files/folder';

function addressed(subject: string, forms: readonly string[]) {
  const source = '//drive.googleapis.com';
  const event = { id: '1', source, type: 'created', subject, occurredAt: 0, data: {} };
  return { event, forms };
}

test('looks each type and target up once, however many events have them', () => {
  const events = [addressed(folder, [folder, '-']), addressed(folder, [folder])];
  expect(matchKeysOf(events)).toEqual([
    { type: 'created', target: folder },
    { type: 'created', target: '-' },
  ]);
});

test('a lane that is found by two targets gets the event once [E14.6, E14.7]', () => {
  const found = { ...anyone, type: 'created', lane: 7 };
  const lanesOf = indexMatches(
    [
      { ...found, target: folder },
      { ...found, target: '-' },
      { ...found, type: 'deleted', target: folder, lane: 8 },
    ],
    'shared',
  );
  expect([...lanesOf(addressed(folder, [folder, '-'])).keys()]).toEqual([7]);
});

test('a narrow lane gets the events of its own file, and not of files below it [E2.16]', () => {
  const lanesOf = indexMatches(
    [{ ...anyone, type: 'created', target: folder, lane: 7, isNarrow: true }],
    'shared',
  );
  const isFound = (subject: string) => lanesOf(addressed(subject, [folder])).has(7);
  expect(isFound(folder)).toBe(true);
  expect(isFound(`${folder}/comments/c`)).toBe(true);
  expect(isFound(`${folder}/files/f`)).toBe(false);
});
