import { expect, it, test } from 'vitest';
import { createSeededFractions } from '../../../tests/support/seeded-fractions.ts';
import { createShares, sharePlaces } from './shares.ts';

test('nobody holds more than a share, and all together no more than the whole [F40]', () => {
  const shares = createShares({ each: 3, all: 5 });
  const give = shares.take('one', 3);
  expect(shares.take('one', 1)).toBe('each');
  expect(shares.take('two', 3)).toBe('all');
  expect(shares.take('two', 2)).toBeTypeOf('function');
  expect(shares.take('three', 1)).toBe('all');
  expect(give).toBeTypeOf('function');
  // Giving back twice gives back once.
  if (typeof give === 'function') [give(), give()];
  expect(shares.take('one', 3)).toBeTypeOf('function');
  expect(shares.take('three', 1)).toBe('all');
});

test('callers who hold nothing are forgotten, and those who hold something are not [F40]', () => {
  const shares = createShares({ each: 1, all: 1e6 });
  shares.take('kept', 1);
  for (let index = 0; index < 5_000; index++) {
    const give = shares.take(`caller ${index}`, 1);
    if (typeof give === 'function') give();
  }
  expect(shares.take('kept', 1)).toBe('each');
});

it('has a place for a newcomer whom others left none, taken from the oldest of whoever has the most [F43]', () => {
  const places = sharePlaces(4);
  const ended: string[] = [];
  const take = (account: string, name: string) => places.take(account, () => void ended.push(name));
  take('a', 'a1');
  for (const name of ['b1', 'b2', 'b3']) take('b', name);
  expect(take('c', 'c1')).toBeTypeOf('function');
  expect(take('d', 'd1')).toBeTypeOf('function');
  expect(ended).toEqual(['b1', 'b2']);
  // Each has one now: whoever comes next would have what another lost.
  expect(take('e', 'e1')).toBeUndefined();
  expect(take('b', 'b4')).toBeUndefined();
  expect(ended).toEqual(['b1', 'b2']);
});

it('a place that was left is free once, and one that was lost is not left again [F43]', () => {
  const places = sharePlaces(2);
  const first = places.take('a', () => {});
  const second = places.take('a', () => {});
  expect(places.take('b', () => {})).toBeTypeOf('function');
  first?.();
  expect(places.take('c', () => {})).toBeUndefined();
  second?.();
  second?.();
  expect(places.take('c', () => {})).toBeTypeOf('function');
  expect(places.take('d', () => {})).toBeUndefined();
});

it('ends nobody below an equal share, whatever accounts come and go [F43]', () => {
  const fraction = createSeededFractions(7);
  const below = (end: number) => Math.floor(fraction() * end);
  const all = 24;
  const places = sharePlaces(all);
  const held = new Map<string, Set<() => void>>();
  const sizes = () => [...held.values()].map(({ size }) => size);
  for (let turn = 0; turn < 5_000; turn++) {
    const account = `account ${below(below(2) === 0 ? 3 : 40)}`;
    const own = held.get(account) ?? new Set();
    held.set(account, own);
    const [oldest] = own;
    if (below(4) === 0 && oldest !== undefined) {
      oldest();
      own.delete(oldest);
      continue;
    }
    const before = { own: own.size, most: Math.max(...sizes()) };
    let lost = 0;
    const leave = places.take(account, () => {
      lost = own.size;
      own.delete(leave!);
    });
    if (leave === undefined) {
      // Refused only where nobody has two more.
      expect(before.most).toBeLessThanOrEqual(before.own + 1);
      continue;
    }
    own.add(leave);
    expect(lost).toBe(0);
    expect(sizes().reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(all);
    expect(Math.max(...sizes())).toBeLessThanOrEqual(Math.max(before.most, before.own + 1));
  }
});
