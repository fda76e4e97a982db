import type { Peer } from '../messages/connection.ts';
import { EdgeError } from '../messages/edge-error.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';

/**
 * Holds a server whose public URL is HTTPS to it, request by request (S13): the connection is TLS of
 * our own, or comes from a declared proxy that does not say it was called in plain HTTP, or from
 * this machine. Without it, whoever knows the inner address of a server behind a proxy could send
 * tokens in the clear. Throws `TLS_REQUIRED`.
 */
export function requireTls(publicUrl: URL): (request: EdgeRequest, peer: Peer | undefined) => void {
  return (request, peer) => {
    if (peer === undefined || request.connection?.encrypted) return;
    const proto = peer.isProxy ? request.header('x-forwarded-proto') : undefined;
    const isPlain = proto?.split(',').at(-1)?.trim().toLowerCase() === 'http';
    if ((peer.isProxy || peer.isLocal) && !isPlain) return;
    throw new EdgeError(
      'TLS_REQUIRED',
      `This server answers over TLS only: call ${publicUrl.origin}, or declare the proxy that ends TLS in TRADEWIND_TRUSTED_PROXY.`,
    );
  };
}
