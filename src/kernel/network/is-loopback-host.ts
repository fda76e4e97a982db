import { parseIpAddress } from './ip-address.ts';
import { isInNetworks, parseNetworks } from './network.ts';

const loopback = parseNetworks(['loopback']);

/**
 * Whether a host names this machine: `localhost`, an address in 127.0.0.0/8, or `::1`, with or
 * without the brackets of a URL and without a port. It compares names and resolves nothing, so
 * `localhost.example` and odd spellings of a loopback address are not loopback.
 */
export function isLoopbackHost(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  const address = parseIpAddress(host.replace(/^\[(.*)\]$/, '$1'));
  return address !== undefined && isInNetworks(address, loopback);
}
