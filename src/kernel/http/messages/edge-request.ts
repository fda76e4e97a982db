import type { IncomingHttpHeaders } from 'node:http';
import type { Connection } from './connection.ts';
import type { RequestAddress } from './request-address.ts';

/**
 * The parts of a request that the rules of the edge read. Requests come in through Hono or directly
 * to an {@link Endpoint}; both ways convert them to this type, so that every rule is written once.
 */
export type EdgeRequest = {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  /** By which the server was called. */
  readonly address: RequestAddress;
  /** Absent if the request was made inside the process, as in tests. */
  readonly connection: Connection | undefined;
  /** A header by its name in lower case; one that was sent several times is joined by commas. */
  header(name: string): string | undefined;
  /** Calls back once the body has arrived or its sender has left. Absent if the request was made inside the process. */
  whenReceived?(done: () => void): void;
  /** Whether the caller hung up. */
  isAborted(): boolean;
};

/** A header of Node.js, as {@link EdgeRequest} shows it. */
export function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}
