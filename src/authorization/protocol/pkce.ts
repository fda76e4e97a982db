import { createHash } from 'node:crypto';
import { drawText, type Random, systemRandom } from '../../kernel/model/random.ts';

/**
 * A verifier that stays with the client, and the challenge that may travel (RFC 7636, S256 only).
 *
 * @example
 * ```ts
 * import { createPkce, type Pkce } from 'tradewind/client';
 *
 * const { codeChallenge, codeChallengeMethod }: Pkce = createPkce();
 * export const query = new URLSearchParams({
 *   code_challenge: codeChallenge,
 *   code_challenge_method: codeChallengeMethod,
 * });
 * ```
 */
export type Pkce = {
  readonly codeVerifier: string;
  readonly codeChallenge: string;
  readonly codeChallengeMethod: 'S256';
};

/**
 * Makes a fresh pair: 32 random bytes give the 43 characters that RFC 7636 section 4.1 recommends.
 *
 * @example
 * ```ts
 * import { createPkce } from 'tradewind/client';
 *
 * const { codeVerifier, codeChallenge } = createPkce();
 * console.log(codeVerifier.length, codeChallenge.length); // 43 43
 * ```
 */
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
