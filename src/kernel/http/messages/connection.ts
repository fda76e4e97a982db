import type { IpAddress } from '../../network/ip-address.ts';

/** The socket a request came in on. The listener fills it; tests hand it to `app.request` as the environment. */
export type Connection = {
  /** Address of the peer; absent when the peer is gone already. */
  readonly remoteAddress?: string;
  /** Whether this server itself terminated the TLS of the connection. */
  readonly encrypted: boolean;
  /** Whether it is closed, so that no answer reaches anybody. Absent in tests, where nobody hangs up. */
  isClosed?(): boolean;
};

/** The other end of a connection, as the edge judges it. */
export type Peer = {
  readonly address: IpAddress | undefined;
  /** Whether it is on this machine. */
  readonly isLocal: boolean;
  /** Whether it is a declared proxy, whose `Forwarded` and `X-Forwarded-*` headers are believed. */
  readonly isProxy: boolean;
};

/** Who is calling, as far as the network can tell: the peer, or whom a declared proxy speaks for. */
export type Caller = {
  /** The exact address, for the log. */
  readonly address: string;
  /** What rate limits are keyed by: the IPv4 address, or the IPv6 /64. */
  readonly key: string;
};
