import type { MiddlewareHandler } from 'hono';
import type { Network } from '../network/network.ts';
import { callerOf } from './caller-of.ts';
import type { Caller, Connection, EdgeEnv, Peer } from './edge-env.ts';
import { peerOf } from './peer-of.ts';

const inProcess = { peer: undefined, caller: { address: 'in-process', key: 'in-process' } };

/** Puts the peer and the caller of a request into its context, for the guards, rate limits and the log. */
export function identifyCaller(trustedProxies: readonly Network[]): MiddlewareHandler<EdgeEnv> {
  const known = new WeakMap<Connection, { peer: Peer; caller: Caller }>();
  return async (c, next) => {
    const { connection } = c.env ?? {};
    const headers = c.req.raw.headers;
    const { peer, caller } = connection === undefined ? inProcess : identify(connection, headers);
    c.set('peer', peer);
    c.set('caller', caller);
    await next();
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
