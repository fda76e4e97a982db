import { expect, it } from 'vitest';
import type { AccessTokenClaims } from './access-token.ts';
import { rememberVerified } from './remember-verified.ts';

it('caches tokens of up to 4,096 characters, and no longer ones, which could fill the memory [N5]', () => {
  const verified: number[] = [];
  const read = rememberVerified((token) => {
    verified.push(token.length);
    return {} as AccessTokenClaims;
  });
  for (const length of [4_096, 4_096, 4_097, 4_097]) read('t'.repeat(length));
  expect(verified).toEqual([4_096, 4_097, 4_097]);
});
