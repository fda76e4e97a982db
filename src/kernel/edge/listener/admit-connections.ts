import type { Socket } from 'node:net';
import type { Network } from '../../model/network.ts';
import { findMost } from '../../wait/shares.ts';
import { peerOf, rateKeyOf } from '../caller.ts';
import { edgeLimits } from '../limits.ts';
import type { Admit, Spare } from './connections.ts';

export type ConnectionBounds = { readonly each: number; readonly all: number };

const declaredBounds: ConnectionBounds = {
  each: edgeLimits.connectionsOfCaller.value,
  all: edgeLimits.connections.value,
};

/**
 * Decides which connections may stay open: a share for each address, and a whole for all (F40). Declared proxies bring many callers,
 * so they count towards the whole alone.
 *
 * A newcomer beyond a bound gets the place of another connection: of the same address beyond its share, of the address that has
 * most beyond the whole (F77). An idle connection goes first, then one whose request has not come to its end. One that is worked on
 * keeps its place, as do those of proxies. The newcomer is refused if nothing can be spared.
 */
export function admitConnections(
  trustedProxies: readonly Network[],
  { each, all }: ConnectionBounds = declaredBounds,
): Admit {
  const held = new Map<string, Set<Socket>>();
  let count = 0;

  return (socket, spareOf) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return false; // it is gone already
    const { address, isProxy } = peerOf({ remoteAddress, encrypted: false }, trustedProxies);
    const key = isProxy || address === undefined ? undefined : rateKeyOf(address);
    const own = key === undefined ? undefined : held.get(key);
    if (key !== undefined && own !== undefined && own.size >= each) {
      if (!closeOne([key, own], spareOf)) return false;
    }
    if (count >= all && !closeAny(spareOf)) return false;
    hold(key, socket);
    return true;
  };

  function hold(key: string | undefined, socket: Socket): void {
    count += 1;
    if (key === undefined) return void socket.once('close', () => (count -= 1));
    held.set(key, (held.get(key) ?? new Set()).add(socket));
    socket.once('close', () => leave(key, socket));
  }

  /** Gives the place back, once. */
  function leave(key: string, socket: Socket): void {
    const own = held.get(key);
    if (!own?.delete(socket)) return;
    count -= 1;
    if (own.size === 0) held.delete(key);
  }

  function closeAny(spareOf: (socket: Socket) => Spare): boolean {
    const most = findMost(held);
    if (most === undefined) return false;
    if (closeOne(most, spareOf)) return true;
    const others = [...held].toSorted(([, one], [, other]) => other.size - one.size);
    return others.some((one) => closeOne(one, spareOf));
  }

  function closeOne(
    [key, sockets]: readonly [string, ReadonlySet<Socket>],
    spareOf: (socket: Socket) => Spare,
  ): boolean {
    const open = [...sockets];
    const loser =
      open.find((socket) => spareOf(socket) === 'idle') ??
      open.find((socket) => spareOf(socket) === 'receiving');
    if (loser === undefined) return false;
    leave(key, loser);
    loser.destroy();
    return true;
  }
}
