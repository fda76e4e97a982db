import type { MiddlewareHandler } from 'hono';
import { parseIpAddress } from '../network/ip-address.ts';
import { isLoopbackHost } from '../network/is-loopback-host.ts';
import { isInNetworks, type Network } from '../network/network.ts';
import type { EdgeEnv } from './edge-env.ts';
import { EdgeError } from './edge-error.ts';

/**
 * Refuses a request for a host that is not ours, the mark of DNS rebinding: a page of another site
 * whose name was pointed at this machine still sends that name. Ours are the host of the public URL
 * and, on connections from this machine, the loopback names. A declared proxy may name the host in
 * `X-Forwarded-Host`. Ports are not compared: rebinding cannot change a name by them, and port
 * forwarding does. Throws `FORBIDDEN_HOST`.
 */
export function checkHost(options: {
  publicUrl: URL;
  trustedProxies: readonly Network[];
}): MiddlewareHandler<EdgeEnv> {
  const { publicUrl, trustedProxies } = options;
  return async (c, next) => {
    const remoteAddress = c.env?.connection?.remoteAddress ?? '';
    const isOurs = (authority: string) => {
      const host = hostOf(authority);
      return host === publicUrl.hostname || (isLoopbackHost(remoteAddress) && isLoopbackHost(host));
    };
    const target = new URL(c.req.url).host;
    const host = c.req.header('host') ?? target;
    // An absolute request target outranks the Host header (RFC 9112 section 3.2.2): both must be ours.
    if (isOurs(host) && isOurs(target)) return next();
    const peer = parseIpAddress(remoteAddress);
    const isProxy = peer !== undefined && isInNetworks(peer, trustedProxies);
    const forwarded = isProxy
      ? c.req.header('x-forwarded-host')?.split(',').at(-1)?.trim()
      : undefined;
    if (forwarded !== undefined && isOurs(forwarded)) return next();
    throw new EdgeError(
      'FORBIDDEN_HOST',
      `This server does not answer for the host "${host.slice(0, 255)}": call ${publicUrl.origin}, or set TRADEWIND_PUBLIC_URL to the address clients use.`,
    );
  };
}

function hostOf(authority: string): string {
  return authority.replace(/:\d*$/, '').toLowerCase();
}
