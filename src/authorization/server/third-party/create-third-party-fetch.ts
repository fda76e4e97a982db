import type { Clock } from '../../../kernel/clock.ts';
import { parseNetworks } from '../../../kernel/network/network.ts';
import {
  createOutboundHttp,
  type OutboundRequest,
} from '../../../kernel/outbound-http/create-outbound-http.ts';

/** The part of `fetch` that the legs towards the third party use. */
export type ThirdPartyFetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: unknown;
    readonly signal?: AbortSignal | undefined;
  },
) => Promise<Response>;

/** Key sets and metadata of large providers exceed the 64 KiB of the ordinary limit. */
const maxResponseBytes = 512 * 1024;

/**
 * The `fetch` towards the third party. Its own host may be anywhere, since the operator named it; any
 * other host that its metadata name must be on the public internet (A7). Follows no redirect. Throws
 * `OutboundError`.
 */
export function createThirdPartyFetch(options: { issuer: URL; clock: Clock }): {
  fetch: ThirdPartyFetch;
  close(): Promise<void>;
} {
  const { issuer, clock } = options;
  const limits = { maxResponseBytes };
  const everywhere = parseNetworks(['0.0.0.0/0', '::/0']);
  const named = createOutboundHttp({ allowNetworks: everywhere, clock, limits });
  const others = createOutboundHttp({ allowNetworks: [], clock, limits });

  return {
    async fetch(url, { method, headers, body, signal }) {
      const http = new URL(url).hostname === issuer.hostname ? named : others;
      const answer = await http.request({
        method: method as OutboundRequest['method'], // the legs use GET and POST
        url,
        headers,
        ...(body === undefined || body === null ? {} : { body: String(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
      const given = Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      );
      const content = answer.body.length === 0 ? null : new Uint8Array(answer.body);
      return new Response(content, { status: answer.status, headers: given });
    },
    async close() {
      await Promise.all([named.close(), others.close()]);
    },
  };
}
