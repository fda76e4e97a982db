import type { MiddlewareHandler } from 'hono';
import { parseIpAddress } from '../network/ip-address.ts';
import { isLoopbackHost } from '../network/is-loopback-host.ts';
import { isInNetworks, type Network } from '../network/network.ts';
import type { EdgeEnv } from './edge-env.ts';
import { EdgeError } from './edge-error.ts';

/**
 * Holds a server whose public URL is HTTPS to it, request by request (S13): the connection is TLS of
 * our own, or comes from a declared proxy that does not say it was called in plain HTTP, or from
 * this machine. Without it, whoever knows the inner address of a server behind a proxy could send
 * tokens in the clear. Throws `TLS_REQUIRED`.
 */
export function requireTls(options: {
  publicUrl: URL;
  trustedProxies: readonly Network[];
}): MiddlewareHandler<EdgeEnv> {
  const { publicUrl, trustedProxies } = options;
  return async (c, next) => {
    const { connection } = c.env ?? {};
    if (connection === undefined || connection.encrypted) return next();
    const peer = parseIpAddress(connection.remoteAddress ?? '');
    const isProxy = peer !== undefined && isInNetworks(peer, trustedProxies);
    const isLocal = isLoopbackHost(connection.remoteAddress ?? '');
    const scheme = isProxy
      ? c.req.header('x-forwarded-proto')?.split(',').at(-1)?.trim()
      : undefined;
    if ((isProxy || isLocal) && scheme?.toLowerCase() !== 'http') return next();
    throw new EdgeError(
      'TLS_REQUIRED',
      `This server answers over TLS only: call ${publicUrl.origin}, or declare the proxy that ends TLS in TRADEWIND_TRUSTED_PROXY.`,
    );
  };
}
