import { expect, it } from 'vitest';
import { systemRandom } from '../../kernel/model/random.ts';
import { codeChallengeOf, createPkce } from './pkce.ts';

it('gives the challenge of RFC 7636 appendix B', () => {
  expect(codeChallengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  );
});

it('makes a fresh verifier of 43 characters with its own challenge each time', () => {
  const [one, other] = [createPkce(systemRandom), createPkce(systemRandom)];
  expect(one.codeVerifier).toMatch(/^[\w-]{43}$/);
  expect(one.codeChallenge).toBe(codeChallengeOf(one.codeVerifier));
  expect(one.codeVerifier).not.toBe(other.codeVerifier);
});
