import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import type { OutboundHttp } from '../../../../kernel/outbound-http/create-outbound-http.ts';

/** Some 5 MB of keys at most. */
const setsKept = 500;

/**
 * The key sets that stand at addresses of clients, read by the guarded outbound client and in no other
 * way (A7). A set is kept for ten minutes, and read again earlier for a key that is not in it, at most
 * every half minute; both are jose's own defaults.
 */
export function createClientKeySets(outbound: OutboundHttp): (jwksUri: string) => JWTVerifyGetKey {
  const sets = new Map<string, JWTVerifyGetKey>();
  return (jwksUri) => {
    const known = sets.get(jwksUri);
    if (known !== undefined) return known;
    const set = createRemoteJWKSet(new URL(jwksUri), { [customFetch]: fetchBy(outbound) });
    sets.set(jwksUri, set);
    const [oldest = jwksUri] = sets.keys();
    if (sets.size > setsKept) sets.delete(oldest);
    return set;
  };
}

function fetchBy(outbound: OutboundHttp) {
  return async (url: string, { signal }: { signal: AbortSignal }): Promise<Response> => {
    const headers = { Accept: 'application/jwk-set+json, application/json' };
    const { status, body } = await outbound.request({ method: 'GET', url, headers, signal });
    return new Response(Buffer.from(body), { status });
  };
}
