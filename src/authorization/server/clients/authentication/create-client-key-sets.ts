import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { createBoundedMap } from '../../../../kernel/collections/bounded-map.ts';
import { createOutboundFetch } from '../../../../kernel/outbound-http/create-outbound-fetch.ts';
import type { OutboundHttp } from '../../../../kernel/outbound-http/create-outbound-http.ts';
import { authorizationLimits } from '../../../limits.ts';

/** Some 5 MB of keys at most. */
const setsKept = authorizationLimits.keySetsKept.value;

/**
 * The key sets at `jwks_uri` of clients, read only through the guarded outbound client (A7). A set is kept for ten
 * minutes, and read again earlier for a key that is not in it, at most every half minute; both are jose's own
 * defaults.
 */
export function createClientKeySets(outbound: OutboundHttp): (jwksUri: string) => JWTVerifyGetKey {
  const sets = createBoundedMap<string, JWTVerifyGetKey>(setsKept);
  const fetch = createOutboundFetch(outbound);
  const fetchKeys = (url: string, { signal }: { signal: AbortSignal }) =>
    fetch(url, { headers: { Accept: 'application/jwk-set+json, application/json' }, signal });
  return (jwksUri) => {
    const known = sets.get(jwksUri);
    if (known !== undefined) return known;
    const set = createRemoteJWKSet(new URL(jwksUri), { [customFetch]: fetchKeys });
    sets.set(jwksUri, set);
    return set;
  };
}
