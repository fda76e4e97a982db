import { type IpAddress, parseIpAddress } from '../../network/ip-address.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';

/**
 * The addresses a proxy says the request passed through, nearest first, from `X-Forwarded-For` or
 * `Forwarded` (RFC 7239); an entry that is not an address is `undefined`.
 *
 * A proxy writes one of the two and passes on what the caller put into the other. If both are
 * present and differ, one of them is forged and neither is trusted.
 */
export function forwardedAddresses(
  request: Pick<EdgeRequest, 'header'>,
): (IpAddress | undefined)[] {
  const xForwardedFor = request.header('x-forwarded-for');
  const forwarded = request.header('forwarded');
  const fromFirst =
    xForwardedFor === undefined ? undefined : nearestFirst(xForwardedFor.split(','));
  const fromSecond = forwarded === undefined ? undefined : nearestFirst(forwardedFor(forwarded));
  if (fromFirst !== undefined && fromSecond !== undefined) {
    return fromFirst.join() === fromSecond.join() ? fromFirst : [];
  }
  return fromFirst ?? fromSecond ?? [];
}

/** The nodes of each `for=` parameter; an element without one gives an entry without an address. */
function forwardedFor(header: string): string[] {
  return header.split(',').map((element) => {
    const pair = element.split(';').find((one) => /^\s*for\s*=/i.test(one)) ?? '';
    const value = pair.slice(pair.indexOf('=') + 1).trim();
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
