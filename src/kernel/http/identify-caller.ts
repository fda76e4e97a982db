import type { Context } from 'hono';
import type { Network } from '../network/network.ts';
import { callerOf } from './caller-of.ts';
import type { Caller, Connection, EdgeEnv, Peer } from './edge-env.ts';
import { peerOf } from './peer-of.ts';

const inProcess = { peer: undefined, caller: { address: 'in-process', key: 'in-process' } };

/** Tells the peer and the caller of a request, for the guards, rate limits and the log. */
export function identifyCaller(
  trustedProxies: readonly Network[],
): (c: Context<EdgeEnv>) => { peer: Peer | undefined; caller: Caller } {
  const known = new WeakMap<Connection, { peer: Peer; caller: Caller }>();
  return (c) => {
    const { connection } = c.env ?? {};
    return connection === undefined ? inProcess : identify(connection, c.req.raw.headers);
  };

  /** All requests of a connection have the same caller, unless its peer is a proxy. */
  function identify(connection: Connection, headers: Headers) {
    const before = known.get(connection);
    if (before !== undefined && !before.peer.isProxy) return before;
    const peer = before?.peer ?? peerOf(connection, trustedProxies);
    const identified = { peer, caller: callerOf({ peer, headers, trustedProxies }) };
    known.set(connection, identified);
    return identified;
  }
}
