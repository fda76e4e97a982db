import { expect, test } from 'vitest';
import { createShares } from './shares.ts';

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
