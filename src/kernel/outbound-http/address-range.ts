import ipaddr from 'ipaddr.js';
import type { IpAddress } from '../network/ip-address.ts';

/** RFC 4291 section 2.4, as assigned by IANA: nothing outside of it is global unicast. */
const globalUnicast = ipaddr.IPv6.parse('2000::');
const globalUnicastBits = 3;

/**
 * Azure's address for metadata and health: public by its number, but reachable only from inside (Azure, "What is IP address
 * 168.63.129.16").
 */
const azurePlatform = '168.63.129.16';

/**
 * The kind of network an address belongs to; `unicast` is the public internet and nothing else. An
 * IPv6 address that carries an IPv4 one inside (mapped, compatible, NAT64, 6to4, Teredo, ISATAP) is
 * never public, whatever it carries: it is how a private address is disguised. Translation prefixes
 * that a network chose for itself (RFC 6052 section 2.2) cannot be told from public addresses.
 */
export function addressRange(address: IpAddress): string {
  if (address.toString() === azurePlatform) return 'linkLocal';
  const range = address.range();
  if (address instanceof ipaddr.IPv4 || range !== 'unicast') return range;
  if (!address.match(globalUnicast, globalUnicastBits)) return 'reserved';
  // RFC 5214 section 6.1: the interface part is 0:5efe or 200:5efe and an IPv4 address.
  const [, , , , high = 0, low = 0] = address.parts;
  return (high & ~0x200) === 0 && low === 0x5efe ? 'isatap' : range;
}
