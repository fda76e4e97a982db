import type { IncomingHttpHeaders } from 'node:http';
import type { Connection } from './connection.ts';

/**
 * What the rules of the edge look at in a request. There are two ways in, that of Hono and the direct
 * one of {@link Endpoint}: each shows its requests as this, so that every rule is written once.
 */
export type EdgeRequest = {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  /** The whole address by which the server was called. */
  readonly url: string;
  /** Without one the request was made inside the process, as tests do. */
  readonly connection: Connection | undefined;
  /** A header by its name in lower case; one that was sent several times is joined by commas. */
  header(name: string): string | undefined;
  /** Whether the caller hung up. */
  isAborted(): boolean;
};

/** A header of Node.js, as {@link EdgeRequest} shows it. */
export function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}
