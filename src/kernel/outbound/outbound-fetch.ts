import { measureJson } from '../text/json.ts';
import { parseUrl } from '../text/url.ts';
import { OutboundError } from './guard-addresses.ts';
import type { OutboundHttp, OutboundRequest } from './outbound-http.ts';

/** The part of `fetch` that libraries for protocols use. */
export type OutboundFetch = (
  url: string,
  init?: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly signal?: AbortSignal | undefined;
  },
) => Promise<Response>;

/**
 * The outbound client for libraries that want a `fetch`. A body is converted to text. Throws
 * `OutboundError`, follows no redirect, and resolves with the whole answer. Libraries parse what looks like JSON, so that is
 * measured first: what is nested too deep, or too many values, is an `INVALID_RESPONSE` [F47].
 */
export function createOutboundFetch({ request }: Pick<OutboundHttp, 'request'>): OutboundFetch {
  return async (url, { method = 'GET', headers = {}, body, signal } = {}) => {
    const answer = await request({
      method: method as OutboundRequest['method'], // the connection refuses what is no method
      url,
      headers,
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const given = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    );
    measure(answer.body, url);
    const content = answer.body.length === 0 ? null : new Uint8Array(answer.body);
    return new Response(content, { status: answer.status, headers: given });
  };
}

function measure(body: Uint8Array, url: string): void {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  if (!/^\s*[[{]/.test(text)) return;
  try {
    measureJson(text);
  } catch (cause) {
    const origin = parseUrl(url)?.origin;
    throw new OutboundError('INVALID_RESPONSE', `${origin} answers JSON that is too much.`, {
      cause,
    });
  }
}
