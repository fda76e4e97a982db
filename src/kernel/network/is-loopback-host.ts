import { isIP } from 'node:net';
import { parseIpAddress } from './ip-address.ts';
import { isInNetworks, parseNetworks } from './network.ts';

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
