import type { Network } from '../../network/network.ts';
import type { Caller, Connection, Peer } from '../messages/connection.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';
import { callerOf } from './caller-of.ts';
import type { ForwardingHeader } from './forwarded-addresses.ts';
import { peerOf } from './peer-of.ts';

const inProcess = { peer: undefined, caller: { address: 'in-process', key: 'in-process' } };

/** Finds the peer and the caller of a request, for the guards, rate limits and the log. */
export function identifyCaller(
  trustedProxies: readonly Network[],
  forwardingHeader: ForwardingHeader = 'x-forwarded-for',
): (request: EdgeRequest) => { peer: Peer | undefined; caller: Caller } {
  const known = new WeakMap<Connection, { peer: Peer; caller: Caller }>();
  return (request) => {
    const { connection } = request;
    return connection === undefined ? inProcess : identify(connection, request);
  };

  /** All requests of a connection have the same caller, unless its peer is a proxy. */
  function identify(connection: Connection, request: EdgeRequest) {
    const before = known.get(connection);
    if (before !== undefined && !before.peer.isProxy) return before;
    const peer = before?.peer ?? peerOf(connection, trustedProxies);
    const identified = {
      peer,
      caller: callerOf({ peer, request, trustedProxies, forwardingHeader }),
    };
    known.set(connection, identified);
    return identified;
  }
}
