import type { KeyObject } from 'node:crypto';
import { createBoundedMap } from '../../kernel/collections/bounded-map.ts';
import { authorizationLimits } from '../limits.ts';
import { type AccessTokenClaims, readAccessToken } from './access-token.ts';

/** Some 10 MB of usual tokens and their claims, and 100 MB at most. A forgotten token is verified again. */
const tokensKept = authorizationLimits.tokensKept.value;
/** In characters. A token with a resource has some 600. */
const longestKept = 4_096;

type Verified = {
  readonly claims: AccessTokenClaims;
  readonly kid: string;
  readonly key: KeyObject;
};

/**
 * Reads tokens as `readAccessToken` does, and remembers which had a good signature, as verifying one costs more than
 * everything else about a request. It asks for the key each time: a token is forgotten with its key (N21). Expiry,
 * revocation and audience must still be checked each time.
 */
export function rememberVerified(
  findKey: (kid: string) => KeyObject | undefined,
): (token: string) => AccessTokenClaims {
  const verified = createBoundedMap<string, Verified>(tokensKept);
  return (token) => {
    const known = verified.get(token);
    if (known !== undefined && isSame(known.key, findKey(known.kid))) return known.claims;
    let by: Pick<Verified, 'kid' | 'key'> | undefined;
    const claims = readAccessToken(token, (kid) => {
      const key = findKey(kid);
      by = key && { kid, key };
      return key;
    });
    if (token.length <= longestKept && by !== undefined) verified.set(token, { claims, ...by });
    return claims;
  };
}

/** Keys that were read again are other objects; under the same id there may be another key. */
function isSame(key: KeyObject, found: KeyObject | undefined): boolean {
  return found !== undefined && (found === key || found.equals(key));
}
