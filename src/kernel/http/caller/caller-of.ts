import ipaddr from 'ipaddr.js';
import { foldIpv4Mapped, type IpAddress } from '../../network/ip-address.ts';
import { isInNetworks, type Network } from '../../network/network.ts';
import type { Caller, Peer } from '../messages/connection.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';
import { type ForwardingHeader, forwardedAddresses } from './forwarded-addresses.ts';

/**
 * Who is calling: the peer of the connection or, when the peer is a declared proxy, the nearest
 * forwarded address that is not one. Entries to the left of that address were written by the caller
 * and are never read. A forwarded value that is not an address ends the search at the proxy that
 * sent it, so garbage counts against the proxy's own rate limit instead of opening a new one.
 */
export function callerOf(options: {
  peer: Peer;
  request: Pick<EdgeRequest, 'header'>;
  trustedProxies: readonly Network[];
  forwardingHeader: ForwardingHeader;
}): Caller {
  const { peer, request, trustedProxies, forwardingHeader } = options;
  if (peer.address === undefined) return { address: 'unknown', key: 'unknown' };
  let caller = peer.address;
  for (const address of peer.isProxy ? forwardedAddresses(request, forwardingHeader) : []) {
    if (address === undefined) break;
    caller = foldIpv4Mapped(address);
    if (!isInNetworks(caller, trustedProxies)) break;
  }
  return { address: caller.toString(), key: rateKeyOf(caller) };
}

/** One subscriber controls a whole IPv6 /64 (RFC 6177), so all addresses in it count as one caller. */
export function rateKeyOf(address: IpAddress): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]);
  return `${network.toString()}/64`;
}
