import { parseIpAddress } from '../network/ip-address.ts';
import { isInNetworks, type Network } from '../network/network.ts';
import { addressRange } from './address-range.ts';
import { OutboundError } from './outbound-error.ts';

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
