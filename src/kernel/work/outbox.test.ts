import { expect, test } from 'vitest';
import { outboxLaneOf, outboxLanes } from './outbox.ts';

test('a key has the lane that every process gives it', () => {
  // FNV-1a test vectors: '' is 0x811c9dc5, 'foobar' is 0xbf9cf968.
  expect(outboxLaneOf('')).toBe(0x811c9dc5 % outboxLanes);
  expect(outboxLaneOf('foobar')).toBe(0xbf9cf968 % outboxLanes);
});

test('keys are spread over all lanes', () => {
  const lanes = Array.from({ length: 200 }, (_, index) => outboxLaneOf(`key ${index}`));
  expect(new Set(lanes).size).toBe(outboxLanes);
});
