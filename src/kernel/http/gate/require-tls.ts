import { type ForwardingHeader, forwardedFact } from '../caller/forwarded-addresses.ts';
import type { Peer } from '../messages/connection.ts';
import { EdgeError } from '../messages/edge-error.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';

/**
 * Enforces TLS on each request if the public URL is HTTPS (S13): the connection must be our own TLS,
 * or come from a declared proxy that does not say it was called over plain HTTP, or from this
 * machine. Without this check, a client that knows the internal address of a server behind a proxy
 * could send tokens in the clear. Throws `TLS_REQUIRED`.
 */
export function requireTls(
  publicUrl: URL,
  forwardingHeader: ForwardingHeader,
): (request: EdgeRequest, peer: Peer | undefined) => void {
  return (request, peer) => {
    if (peer === undefined || request.connection?.encrypted) return;
    const proto = peer.isProxy ? forwardedFact(request, forwardingHeader, 'proto') : undefined;
    const isPlain = proto !== undefined && proto !== '' && proto.toLowerCase() !== 'https';
    if ((peer.isProxy || peer.isLocal) && !isPlain) return;
    throw new EdgeError(
      'TLS_REQUIRED',
      `This server answers over TLS only: call ${publicUrl.origin}, or declare the proxy that ends TLS in TRADEWIND_TRUSTED_PROXY.`,
    );
  };
}
