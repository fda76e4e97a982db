import { type IpAddress, parseIpAddress } from '../../network/ip-address.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';

/** The headers in which a proxy says whom it speaks for; the second is that of RFC 7239. */
export const forwardingHeaders = ['x-forwarded-for', 'forwarded'] as const;
export type ForwardingHeader = (typeof forwardingHeaders)[number];

/**
 * The addresses a proxy says the request passed through, nearest first; an entry that is not an address is `undefined`.
 * Only the header that the operator's proxy writes is read. A proxy passes on what the caller put into the other (F30).
 */
export function forwardedAddresses(
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
