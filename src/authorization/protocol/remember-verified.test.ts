import { expect, it } from 'vitest';
import type { AccessTokenClaims } from './access-token.ts';
import { rememberVerified } from './remember-verified.ts';

it('remembers usual tokens, and none that is so long that many would fill the memory [N5]', () => {
  const verified: number[] = [];
  const read = rememberVerified((token) => {
    verified.push(token.length);
    return {} as AccessTokenClaims;
  });
  for (const length of [4_096, 4_096, 4_097, 4_097]) read('t'.repeat(length));
  expect(verified).toEqual([4_096, 4_097, 4_097]);
});
