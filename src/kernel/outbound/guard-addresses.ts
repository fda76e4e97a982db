import ipaddr from 'ipaddr.js';
import { DomainError } from '../model/domain-error.ts';
import { type IpAddress, isInNetworks, type Network, parseIpAddress } from '../model/network.ts';
import { parseUrl } from '../text/url.ts';

/** Finds the addresses of a host name, as text. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * The addresses a host may be called at: its own if it is an address, else all that its name
 * resolves to. One refused address refuses the host, since the network decides which of them is
 * used.
 *
 * Allows public addresses and the explicitly allowed networks. `localhost` and the names below it
 * are loopback without a lookup (RFC 6761 section 6.3). Throws `ADDRESS_REFUSED`, and
 * `NAME_NOT_FOUND` for a name without addresses.
 */
export async function guardAddresses(
  hostname: string,
  options: { resolve: Resolve; allowNetworks: readonly Network[] },
): Promise<readonly string[]> {
  const { resolve, allowNetworks } = options;
  const isLiteral = parseIpAddress(hostname) !== undefined;
  const addresses = isLiteral ? [hostname] : await addressesOf(hostname, resolve);
  for (const text of addresses) {
    const range = refusedRange(text, allowNetworks);
    if (range === undefined) continue;
    throw new OutboundError(
      'ADDRESS_REFUSED',
      `${hostname} ${isLiteral ? 'is' : 'resolves to'} an address outside the public internet (${range}), which this server does not call: use a public address, or allow its network in TRADEWIND_WEBHOOK_ALLOW.`,
      { details: { host: hostname, range } },
    );
  }
  return addresses;
}

function refusedRange(text: string, allowNetworks: readonly Network[]): string | undefined {
  const address = parseIpAddress(text);
  // A zone selects an interface of this machine; no public address needs one.
  if (address === undefined || text.includes('%')) return 'unreadable';
  if (isInNetworks(address, allowNetworks)) return undefined;
  const range = addressRange(address);
  return range === 'unicast' ? undefined : range;
}

async function addressesOf(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  if (/(?:^|\.)localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1'];
  let addresses: readonly string[] = [];
  let cause: unknown;
  try {
    addresses = await resolve(hostname);
  } catch (error) {
    cause = error;
  }
  if (addresses.length > 0) return addresses;
  throw new OutboundError(
    'NAME_NOT_FOUND',
    `No address is known for the host name ${hostname}: check its spelling and its DNS records.`,
    { cause },
  );
}

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
function addressRange(address: IpAddress): string {
  if (address.toString() === azurePlatform) return 'linkLocal';
  const range = address.range();
  if (address instanceof ipaddr.IPv4 || range !== 'unicast') return range;
  if (!address.match(globalUnicast, globalUnicastBits)) return 'reserved';
  // RFC 5214 section 6.1: the interface part is 0:5efe or 200:5efe and an IPv4 address.
  const [, , , , high = 0, low = 0] = address.parts;
  return (high & ~0x200) === 0 && low === 0x5efe ? 'isatap' : range;
}

/**
 * Reads an address that a user gave: an absolute HTTP or HTTPS URL without credentials. The URL
 * standard folds decimal, octal, hexadecimal, shortened and full-width spellings of an IPv4 address
 * into the plain one, so later checks see one spelling. Any port is accepted. Does not check what
 * the host resolves to. Throws `INVALID_URL`.
 */
export function parseOutboundUrl(text: string): URL {
  const url = parseUrl(text);
  if (url === undefined) throw invalid('it is not an absolute URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid('its scheme is neither');
  if (url.username !== '' || url.password !== '') throw invalid('it carries credentials');
  return url;
}

function invalid(reason: string): OutboundError {
  return new OutboundError(
    'INVALID_URL',
    `The address cannot be called, as ${reason}: give an http:// or https:// URL without user name and password.`,
  );
}

export type OutboundErrorCode =
  | 'INVALID_URL'
  | 'ADDRESS_REFUSED'
  | 'NAME_NOT_FOUND'
  | 'CONNECT_FAILED'
  | 'TLS_FAILED'
  | 'CONNECTION_LOST'
  | 'INVALID_RESPONSE'
  | 'RESPONSE_TOO_LARGE'
  | 'TIMED_OUT';

/**
 * Why a call to an address that a user gave brought no answer. Messages name the origin and never the
 * path or query, where webhooks carry their secrets; nor the address that a name resolved to, which
 * would let anyone query the internal DNS.
 */
export class OutboundError extends DomainError<OutboundErrorCode> {}
