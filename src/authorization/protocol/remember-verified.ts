import { createBoundedMap } from '../../kernel/collections/bounded-map.ts';
import { authorizationLimits } from '../limits.ts';
import type { AccessTokenClaims } from './access-token.ts';

/** Some 10 MB of usual tokens and their claims, and 100 MB at most. A forgotten token is verified again. */
const tokensKept = authorizationLimits.tokensKept.value;
/** In characters. A token with a resource has some 600. */
const longestKept = 4_096;

/**
 * Remembers which tokens had a good signature, as that never changes and verifying one costs more than
 * everything else about a request. Expiry, revocation and audience must still be checked each time.
 */
export function rememberVerified(
  read: (token: string) => AccessTokenClaims,
): (token: string) => AccessTokenClaims {
  const verified = createBoundedMap<string, AccessTokenClaims>(tokensKept);
  return (token) => {
    const known = verified.get(token);
    if (known !== undefined) return known;
    const claims = read(token);
    if (token.length <= longestKept) verified.set(token, claims);
    return claims;
  };
}
