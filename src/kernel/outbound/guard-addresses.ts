import ipaddr from 'ipaddr.js';
import { DomainError, type DomainErrorOptions } from '../model/domain-error.ts';
import { type IpAddress, isInNetworks, type Network, parseIpAddress } from '../model/network.ts';
import type { Logger } from '../telemetry/logger.ts';
import { parseUrl } from '../text/url.ts';

/** Finds the addresses of a host name, as text. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * The addresses a host may be called at: its own if it is an address, else all that its name
 * resolves to. One refused address refuses the host, since the network decides which of them is
 * used.
 *
 * Allows public addresses and the explicitly allowed networks. `localhost` and the names below it
 * are loopback without a lookup (RFC 6761 section 6.3). Throws `ADDRESS_REFUSED` for an address, and
 * `NAME_NOT_FOUND` for a name, alike whether it does not resolve or leads to a refused address: whoever
 * gave the name would otherwise query the DNS of the inside through this server [F59]. What it is, only
 * the operator is told, by `OutboundError.refusal`. Without `resolve`, no name is looked up or refused.
 */
export async function guardAddresses(
  host: string,
  options: { resolve?: Resolve; allowNetworks: readonly Network[] },
): Promise<readonly string[]> {
  const { resolve, allowNetworks } = options;
  const own = addressesWithoutLookup(host);
  if (own === undefined && resolve === undefined) return [];
  const { addresses, cause } = await lookUp(host, async (name) => own ?? resolve?.(name) ?? []);
  const [firstRefused] = addresses.flatMap((one) => refusedRange(one, allowNetworks) ?? []);
  const kind = addresses.length === 0 ? 'unresolved' : firstRefused;
  if (kind === undefined) return addresses;
  const code = own === undefined ? 'NAME_NOT_FOUND' : 'ADDRESS_REFUSED';
  throw new OutboundError(code, `${host} ${refusals[code]}`, { cause, refusal: { host, kind } });
}

const refusals = {
  ADDRESS_REFUSED:
    'is outside the public internet, and this server does not call it: use a public address, or have its network allowed in TRADEWIND_WEBHOOK_ALLOW.',
  NAME_NOT_FOUND:
    'leads to no address that this server calls: check its spelling and its DNS records, which must name public addresses alone, or have their network allowed in TRADEWIND_WEBHOOK_ALLOW.',
} as const;

function refusedRange(text: string, allowNetworks: readonly Network[]): string | undefined {
  const address = parseIpAddress(text);
  // A zone selects an interface of this machine; no public address needs one.
  if (address === undefined || text.includes('%')) return 'unreadable';
  if (isInNetworks(address, allowNetworks)) return undefined;
  const range = addressRange(address);
  return range === 'unicast' ? undefined : range;
}

function addressesWithoutLookup(host: string): readonly string[] | undefined {
  if (parseIpAddress(host) !== undefined) return [host];
  return /(?:^|\.)localhost\.?$/i.test(host) ? ['127.0.0.1', '::1'] : undefined;
}

async function lookUp(
  host: string,
  resolve: Resolve,
): Promise<{ readonly addresses: readonly string[]; readonly cause?: unknown }> {
  try {
    return { addresses: await resolve(host) };
  } catch (cause) {
    return { addresses: [], cause };
  }
}

/** Tells the operator which kind of address was refused, which whoever gave it is not told [F59]. */
export function logRefusal(logger: Pick<Logger, 'warn'> | undefined, error: unknown): void {
  if (!(error instanceof OutboundError) || error.refusal === undefined) return;
  logger?.warn(error.refusal, 'an address that somebody gave was not called');
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

/** Of a host that is not called: `kind` is the kind of network of its address, or `unresolved`. */
export type Refusal = { readonly host: string; readonly kind: string };

/**
 * Why a call to an address that a user gave brought no answer. Messages name the origin and never the
 * path or query, where webhooks carry their secrets; nor the address that a name resolved to, nor its
 * kind, nor whether it resolved, which would let anyone query the internal DNS [F59].
 */
export class OutboundError extends DomainError<OutboundErrorCode> {
  /** For the operator, and for who runs this code on a machine of their own. Shown to no caller of a server. */
  readonly refusal: Refusal | undefined;

  constructor(
    code: OutboundErrorCode,
    message: string,
    options: DomainErrorOptions & { readonly refusal?: Refusal | undefined } = {},
  ) {
    super(code, message, options);
    this.refusal = options.refusal;
  }
}
