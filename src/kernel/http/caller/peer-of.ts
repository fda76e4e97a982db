import { foldIpv4Mapped, parseIpAddress } from '../../network/ip-address.ts';
import { isLoopbackHost } from '../../network/is-loopback-host.ts';
import { isInNetworks, type Network } from '../../network/network.ts';
import type { Connection, Peer } from '../messages/connection.ts';

/** Finds who is at the other end of a connection. */
export function peerOf(connection: Connection, trustedProxies: readonly Network[]): Peer {
  const { remoteAddress = '' } = connection;
  const parsed = parseIpAddress(remoteAddress);
  const address = parsed === undefined ? undefined : foldIpv4Mapped(parsed);
  return {
    address,
    isLocal: isLoopbackHost(remoteAddress),
    isProxy: address !== undefined && isInNetworks(address, trustedProxies),
  };
}
