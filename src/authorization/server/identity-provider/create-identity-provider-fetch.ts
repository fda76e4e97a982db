import { parseNetworks } from '../../../kernel/network/network.ts';
import {
  createOutboundFetch,
  type OutboundFetch,
} from '../../../kernel/outbound-http/create-outbound-fetch.ts';
import { createOutboundHttp } from '../../../kernel/outbound-http/create-outbound-http.ts';
import type { Clock } from '../../../kernel/time/clock.ts';

/** Key sets and metadata of large providers exceed the 64 KiB of the ordinary limit. */
const maxResponseBytes = 512 * 1024;

/**
 * The `fetch` towards the identity provider. Its own host may be anywhere, since the operator named it; any
 * other host that its metadata name must be on the public internet (A7). Follows no redirect. Throws
 * `OutboundError`.
 */
export function createIdentityProviderFetch(options: { issuer: URL; clock: Clock }): {
  fetch: OutboundFetch;
  close(): Promise<void>;
} {
  const { issuer, clock } = options;
  const limits = { maxResponseBytes };
  const everywhere = parseNetworks(['0.0.0.0/0', '::/0']);
  const named = createOutboundHttp({ allowNetworks: everywhere, clock, limits });
  const others = createOutboundHttp({ allowNetworks: [], clock, limits });

  const [fetchNamed, fetchOther] = [createOutboundFetch(named), createOutboundFetch(others)];
  return {
    fetch: (url, init) =>
      new URL(url).hostname === issuer.hostname ? fetchNamed(url, init) : fetchOther(url, init),
    async close() {
      await Promise.all([named.close(), others.close()]);
    },
  };
}
