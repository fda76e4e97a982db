import { createHash } from 'node:crypto';
import { drawText } from '../../kernel/draw-text.ts';
import { type Random, systemRandom } from '../../kernel/random.ts';

/** A verifier that stays with the client, and the challenge that may travel (RFC 7636, S256 only). */
export type Pkce = {
  readonly codeVerifier: string;
  readonly codeChallenge: string;
  readonly codeChallengeMethod: 'S256';
};

/** Makes a fresh pair: 32 random bytes give the 43 characters that RFC 7636 section 4.1 recommends. */
export function createPkce(random: Random = systemRandom): Pkce {
  const codeVerifier = drawText(random, 32);
  return {
    codeVerifier,
    codeChallenge: codeChallengeOf(codeVerifier),
    codeChallengeMethod: 'S256',
  };
}

/** The S256 challenge of a verifier. Does not check the verifier's form. */
export function codeChallengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier, 'ascii').digest('base64url');
}
