import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Parses an IP address in its one unambiguous spelling: four decimal parts without leading zeros, or
 * IPv6. Octal, hexadecimal and shortened IPv4 are not addresses here, since parsers disagree on
 * them. A zone (`%eth0`) is dropped. An IPv4-mapped IPv6 address stays what it is: see
 * {@link foldIpv4Mapped}.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (isIP(text) === 0) return undefined;
  return ipaddr.parse(text.split('%', 1)[0] ?? '');
}

/** `::ffff:192.0.2.1` and `192.0.2.1` are one peer on a dual-stack socket: returns the second. */
export function foldIpv4Mapped(address: IpAddress): IpAddress {
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
  return isMapped ? address.toIPv4Address() : address;
}
