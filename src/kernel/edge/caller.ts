import ipaddr from 'ipaddr.js';
import {
  foldIpv4Mapped,
  type IpAddress,
  isInNetworks,
  isLoopbackHost,
  type Network,
  parseIpAddress,
} from '../model/network.ts';
import type { Caller, Connection, EdgeRequest, Peer } from './request.ts';

const inProcess = { peer: undefined, caller: { address: 'in-process', key: 'in-process' } };

/** Finds the peer and the caller of a request, for the guards, rate limits and the log. */
export function identifyCaller(
  trustedProxies: readonly Network[],
  forwardingHeader: ForwardingHeader = 'x-forwarded-for',
): (request: EdgeRequest) => { peer: Peer | undefined; caller: Caller } {
  const known = new WeakMap<Connection, { peer: Peer; caller: Caller }>();
  return (request) => {
    const { connection } = request;
    return connection === undefined ? inProcess : identify(connection, request);
  };

  /** All requests of a connection have the same caller, unless its peer is a proxy. */
  function identify(connection: Connection, request: EdgeRequest) {
    const before = known.get(connection);
    if (before !== undefined && !before.peer.isProxy) return before;
    const peer = before?.peer ?? peerOf(connection, trustedProxies);
    const identified = {
      peer,
      caller: callerOf({ peer, request, trustedProxies, forwardingHeader }),
    };
    known.set(connection, identified);
    return identified;
  }
}

/** Finds who is at the other end of a connection. */
export function peerOf(connection: Connection, trustedProxies: readonly Network[]): Peer {
  const { remoteAddress = '' } = connection;
  const parsed = parseIpAddress(remoteAddress);
  const address = parsed === undefined ? undefined : foldIpv4Mapped(parsed);
  return {
    address,
    isLocal: isLoopbackHost(remoteAddress),
    isProxy: address !== undefined && isInNetworks(address, trustedProxies),
  };
}

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

/** The headers in which a proxy says whom it speaks for; the second is that of RFC 7239. */
export const forwardingHeaders = ['x-forwarded-for', 'forwarded'] as const;
export type ForwardingHeader = (typeof forwardingHeaders)[number];

/**
 * The addresses a proxy says the request passed through, nearest first; an entry that is not an address is `undefined`.
 * Only the header that the operator's proxy writes is read. A proxy passes on what the caller put into the other (F30).
 */
function forwardedAddresses(
  request: Pick<EdgeRequest, 'header'>,
  header: ForwardingHeader,
): (IpAddress | undefined)[] {
  const value = request.header(header);
  if (value === undefined) return [];
  return nearestFirst(header === 'forwarded' ? forwardedFor(value) : value.split(','));
}

/** What the nearest proxy says of the request that it got: the scheme and the host. Read from the same header alone (F64). */
export function forwardedFact(
  request: Pick<EdgeRequest, 'header'>,
  header: ForwardingHeader,
  fact: 'proto' | 'host',
): string | undefined {
  const value = request.header(header === 'forwarded' ? header : `x-forwarded-${fact}`);
  if (value === undefined) return undefined;
  const nearest = header === 'forwarded' ? parametersOf(value, fact) : value.split(',');
  return nearest.at(-1)?.trim();
}

/** The nodes of each `for=` parameter; an element without one gives an entry without an address. */
const forwardedFor = (header: string) => parametersOf(header, 'for');

/** One parameter of each element of a `Forwarded` header (RFC 7239), or an empty text where an element has none. */
function parametersOf(header: string, name: string): string[] {
  return header.split(',').map((element) => {
    const pairs = element.split(';').map((pair) => {
      const at = pair.indexOf('=');
      return { key: pair.slice(0, Math.max(0, at)).trim().toLowerCase(), at, pair };
    });
    const found = pairs.find(({ key }) => key === name);
    const value = found?.pair.slice(found.at + 1).trim() ?? '';
    return /^"[^"]*"$/.test(value) ? value.slice(1, -1) : value;
  });
}

function nearestFirst(nodes: readonly string[]): (IpAddress | undefined)[] {
  return nodes.map((node) => parseIpAddress(withoutPort(node.trim()))).reverse();
}

/** `[2001:db8::1]:443`, `[2001:db8::1]` and `192.0.2.1:443` without brackets and port. */
function withoutPort(node: string): string {
  const match = /^\[([^\]]+)\](?::\d+)?$/.exec(node) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(node);
  return match?.[1] ?? node;
}
