import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A block of addresses, as in `10.0.0.0/8`; a single address is a block of one. */
export type Network = {
  readonly address: IpAddress;
  readonly prefixLength: number;
};

/** RFC 1122 section 3.2.1.3 and RFC 4291 section 2.5.3. */
const loopback = ['127.0.0.0/8', '::1/128'];

/**
 * Reads a list of networks: CIDR blocks, single addresses, and the word `loopback` for both of its
 * families. Throws a `RangeError` naming the first entry that is none of these.
 */
export function parseNetworks(entries: readonly string[]): Network[] {
  return entries.flatMap((entry) => (entry === 'loopback' ? loopback : [entry])).map(parseNetwork);
}

/** Writes a network as `parseNetworks` reads it. */
export function writeNetwork({ address, prefixLength }: Network): string {
  return `${address}/${prefixLength}`;
}

/** Whether the address lies in one of the networks. An IPv4-mapped address counts as its IPv4 one. */
export function isInNetworks(address: IpAddress, networks: readonly Network[]): boolean {
  const folded = foldIpv4Mapped(address);
  return networks.some(
    (network) =>
      network.address.kind() === folded.kind() &&
      folded.match(network.address, network.prefixLength),
  );
}

function parseNetwork(entry: string): Network {
  const [text = '', prefix, ...rest] = entry.split('/');
  const address = parseIpAddress(text);
  const bits = address?.kind() === 'ipv4' ? 32 : 128;
  const prefixLength = prefix === undefined ? bits : Number(prefix);
  const isPrefix = prefix === undefined || /^\d{1,3}$/.test(prefix);
  if (address === undefined || rest.length > 0 || !isPrefix || prefixLength > bits) {
    throw new RangeError(
      `"${entry}" is not a network: write an address (192.0.2.7), a block (10.0.0.0/8, fd00::/8) or the word loopback.`,
    );
  }
  return { address, prefixLength };
}

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

const loopbackNetworks = parseNetworks(['loopback']);

/**
 * Whether a host names this machine: `localhost`, an address in 127.0.0.0/8, or `::1`, with or
 * without the brackets of a URL and without a port. It compares names and resolves nothing, so
 * `localhost.example` and odd spellings of a loopback address are not loopback.
 */
export function isLoopbackHost(host: string): boolean {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  // Decides the common cases without parsing, since this runs for every request.
  if (isIP(bare) === 4) return bare.startsWith('127.');
  const address = parseIpAddress(bare);
  if (address === undefined) return bare.toLowerCase() === 'localhost';
  return isInNetworks(address, loopbackNetworks);
}
