import { isLoopbackHost } from '../../network/is-loopback-host.ts';
import { parseUrl } from '../../text/parse-url.ts';
import type { Peer } from '../messages/connection.ts';
import { EdgeError } from '../messages/edge-error.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';

/**
 * Refuses a request for a host that is not ours, the mark of DNS rebinding: a page of another site
 * whose name was pointed at this machine still sends that name. Ours are the host of the public URL
 * and, on connections from this machine, the loopback names. A declared proxy may name the host in
 * `X-Forwarded-Host`. Ports are not compared: rebinding works by the name alone, and port
 * forwarding changes ports. Throws `FORBIDDEN_HOST`.
 */
export function checkHost(publicUrl: URL): (request: EdgeRequest, peer: Peer | undefined) => void {
  const oursTo = new WeakMap<Peer, string>();
  return (request, peer) => {
    const isOurs = (authority: string) => {
      const host = authority.replace(/:\d+$/, '').toLowerCase();
      return host === publicUrl.hostname || (peer?.isLocal === true && isLoopbackHost(host));
    };
    const { url } = request;
    const host = request.header('host') ?? new URL(url).host;
    // An absolute request target outranks the Host header (RFC 9112 section 3.2.2): both must be ours.
    const target = authorityOf(url);
    // All requests of a connection name the same host, unless something is wrong.
    if (host === target && peer !== undefined && oursTo.get(peer) === host) return;
    const isAddress = parseUrl(url.slice(0, endOfAuthority(url))) !== undefined;
    if (isAddress && isOurs(host) && isOurs(target)) {
      if (peer !== undefined) oursTo.set(peer, host);
      return;
    }
    const forwarded = isAddress && peer?.isProxy ? request.header('x-forwarded-host') : undefined;
    if (isOurs(forwarded?.split(',').at(-1)?.trim() ?? '')) return;
    throw new EdgeError(
      'FORBIDDEN_HOST',
      `This server does not answer for the host "${host.slice(0, 255)}": call ${publicUrl.origin}, or set TRADEWIND_PUBLIC_URL to the address clients use.`,
    );
  };
}

/** Keeps credentials, which a request target must not have: with them it is no host of ours. */
function authorityOf(url: string): string {
  return url.slice(url.indexOf('//') + 2, endOfAuthority(url));
}

function endOfAuthority(url: string): number {
  return url.indexOf('/', url.indexOf('//') + 2);
}
