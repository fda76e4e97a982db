import { createBoundedMap } from '../../kernel/bounded-map.ts';
import { authorizationLimits } from '../limits.ts';
import type { AccessTokenClaims } from './access-token.ts';

/** Some 10 MB of tokens and claims. A forgotten token is verified again. */
const tokensKept = authorizationLimits.tokensKept.value;

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
    verified.set(token, claims);
    return claims;
  };
}
