import type { Socket } from 'node:net';
import { createShares } from '../../collections/shares.ts';
import { edgeLimits } from '../../limits/edge-limits.ts';
import type { Network } from '../../network/network.ts';
import { rateKeyOf } from '../caller/caller-of.ts';
import { peerOf } from '../caller/peer-of.ts';

/**
 * Decides which connections may stay open: a share for each address, and a whole for all (F40). Declared proxies bring many callers,
 * so they count towards the whole alone.
 */
export function boundConnections(trustedProxies: readonly Network[]): (socket: Socket) => boolean {
  const [each, all] = [edgeLimits.connectionsOfCaller.value, edgeLimits.connections.value];
  const callers = createShares({ each, all });
  const everybody = createShares({ each: all, all });
  return (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return false; // it is gone already
    const { address, isProxy } = peerOf({ remoteAddress, encrypted: false }, trustedProxies);
    const place = everybody.take('', 1);
    if (typeof place === 'string') return false;
    const share = isProxy || address === undefined ? () => {} : callers.take(rateKeyOf(address), 1);
    if (typeof share === 'string') {
      place();
      return false;
    }
    socket.once('close', place).once('close', share);
    return true;
  };
}
