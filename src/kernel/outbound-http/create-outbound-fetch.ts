import type { OutboundHttp, OutboundRequest } from './create-outbound-http.ts';

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
 * `OutboundError`, follows no redirect, and resolves with the whole answer.
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
    const content = answer.body.length === 0 ? null : new Uint8Array(answer.body);
    return new Response(content, { status: answer.status, headers: given });
  };
}
