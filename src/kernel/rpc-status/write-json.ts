import { gzipSync } from 'node:zlib';
import { queryOf } from '../http/messages/request-address.ts';
import { takesGzip } from '../http/messages/takes-gzip.ts';

/** What an answer depends on in its request. */
export type AnsweredRequest = Pick<Request, 'method' | 'url'> & {
  readonly headers: Pick<Headers, 'get'>;
};

export type WriteOptions = {
  readonly request: AnsweredRequest;
  readonly status?: number;
  readonly headers?: Iterable<readonly [string, string]>;
};

/** Shorter answers fit into one packet anyway, and a compressor takes longer to set up than they take to send. */
const leastCompressed = 1_024;

/**
 * Writes an answer: indented unless `prettyPrint=false` (E7.16). From a kilobyte on, it is compressed for callers
 * that ask for it (E7.14). Answers are valid only for the moment, so no cache keeps them.
 */
export function writeJson(value: object, { request, status = 200, headers = [] }: WriteOptions) {
  const isCompact = queryOf(request).get('prettyPrint') === 'false';
  const text = `${JSON.stringify(value, null, isCompact ? 0 : 2)}\n`;
  const isCompressed = text.length >= leastCompressed && takesGzip(request);
  const response = new Response(isCompressed ? new Uint8Array(gzipSync(text)) : text, {
    status,
    headers: {
      'Content-Type': 'application/json; charset=UTF-8',
      'Cache-Control': 'no-store',
      Vary: 'Accept-Encoding',
      ...(isCompressed ? { 'Content-Encoding': 'gzip' } : {}),
    },
  });
  for (const [name, text] of headers) response.headers.append(name, text);
  return response;
}
