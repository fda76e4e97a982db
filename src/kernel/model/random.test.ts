import { expect, test } from 'vitest';
import { systemRandom } from './random.ts';

test.each([16, 32, 4_095, 4_096, 10_000])('draws %i bytes, never the same twice', (length) => {
  const drawn = Array.from({ length: 600 }, () => systemRandom.bytes(length));
  expect(drawn.every((bytes) => bytes.length === length)).toBe(true);
  const texts = new Set(drawn.map((bytes) => Buffer.from(bytes).toString('hex')));
  expect(texts.size).toBe(600);
});

test('draws every value of a byte', () => {
  const values = new Set(Array.from({ length: 10_000 }, () => systemRandom.bytes(1)[0]));
  expect(values.size).toBe(256);
});
