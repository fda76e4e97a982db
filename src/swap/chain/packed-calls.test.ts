import { expect, it } from 'vitest';
import { createPackedReader } from './packed-calls.ts';

it('takes one value after the other', () => {
  const reader = createPackedReader('0x01fffffe0102030405060708ab');
  expect(reader.number(1)).toBe(1);
  expect(reader.signed(3)).toBe(-2);
  expect(reader.unsigned(8)).toBe(0x0102030405060708n);
  expect(reader.bytes(1)).toBe('0xab');
  expect(reader.remaining()).toBe(0);
});

it('reads zero bytes as zero, and positive signed numbers unchanged', () => {
  const reader = createPackedReader('0x7fffff');
  expect(reader.unsigned(0)).toBe(0n);
  expect(reader.signed(3)).toBe(0x7fffff);
});

it('takes an answer that ends too early for a failure of the node [Q2]', () => {
  const refusal = { code: 'UPSTREAM_ERROR', message: expect.stringContaining('is incomplete') };
  expect(() => createPackedReader('0x0102').unsigned(3)).toThrow(expect.objectContaining(refusal));
});
