import { isLoopbackHost } from '../../network/is-loopback-host.ts';
import { type ForwardingHeader, forwardedFact } from '../caller/forwarded-addresses.ts';
import type { Peer } from '../messages/connection.ts';
import { EdgeError } from '../messages/edge-error.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';
import { hostNameOf } from '../messages/request-address.ts';

/**
 * Refuses a request for a host that is not ours, the mark of DNS rebinding: a page of another site
 * whose name was pointed at this machine still sends that name. Ours are the host of the public URL
 * and, on connections from this machine, the loopback names. A declared proxy may name the host in
 * the header that the operator declared. Ports are not compared: rebinding works by the name alone, and port
 * forwarding changes ports. Throws `FORBIDDEN_HOST`.
 */
export function checkHost(
  publicUrl: URL,
  forwardingHeader: ForwardingHeader,
): (request: EdgeRequest, peer: Peer | undefined) => void {
  return (request, peer) => {
    const isOurs = (host: string | undefined) =>
      host === publicUrl.hostname ||
      (host !== undefined && peer?.isLocal === true && isLoopbackHost(host));
    const { hosts } = request.address;
    if (hosts.every(isOurs)) return;
    const forwarded = peer?.isProxy ? forwardedFact(request, forwardingHeader, 'host') : undefined;
    if (isOurs(hostNameOf(forwarded ?? ''))) return;
    throw new EdgeError(
      'FORBIDDEN_HOST',
      `This server does not answer for the host "${hosts.at(-1)?.slice(0, 255)}": call ${publicUrl.origin}, or set TRADEWIND_PUBLIC_URL to the address clients use.`,
    );
  };
}
