import type { Context } from 'hono';
import { isLoopbackHost } from '../network/is-loopback-host.ts';
import type { EdgeEnv } from './edge-env.ts';
import { EdgeError } from './edge-error.ts';

/**
 * Refuses a request for a host that is not ours, the mark of DNS rebinding: a page of another site
 * whose name was pointed at this machine still sends that name. Ours are the host of the public URL
 * and, on connections from this machine, the loopback names. A declared proxy may name the host in
 * `X-Forwarded-Host`. Ports are not compared: rebinding cannot change a name by them, and port
 * forwarding does. Throws `FORBIDDEN_HOST`.
 */
export function checkHost(publicUrl: URL): (c: Context<EdgeEnv>) => void {
  return (c) => {
    const peer = c.get('peer');
    const isOurs = (authority: string) => {
      const host = authority.replace(/:\d*$/, '').toLowerCase();
      return host === publicUrl.hostname || (peer?.isLocal === true && isLoopbackHost(host));
    };
    const { url } = c.req;
    const host = c.req.header('host') ?? new URL(url).host;
    // An absolute request target outranks the Host header (RFC 9112 section 3.2.2): both must be ours.
    const isTarget = url.startsWith(`${host}/`, url.indexOf('//') + 2);
    if (isOurs(host) && (isTarget || isOurs(new URL(url).host))) return;
    const forwarded = peer?.isProxy ? c.req.header('x-forwarded-host') : undefined;
    if (isOurs(forwarded?.split(',').at(-1)?.trim() ?? '')) return;
    throw new EdgeError(
      'FORBIDDEN_HOST',
      `This server does not answer for the host "${host.slice(0, 255)}": call ${publicUrl.origin}, or set TRADEWIND_PUBLIC_URL to the address clients use.`,
    );
  };
}
