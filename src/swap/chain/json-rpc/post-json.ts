import type { Dispatcher } from 'undici';
import { request } from 'undici';
import type { EndpointFailure } from './endpoint-failure.ts';

export type PostTarget = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
};

/** More than any batch we send is answered with: the largest reader answers are 24 KiB each. */
const longestBody = 32 * 1024 * 1024;

/**
 * Where to post, from an endpoint's URL: a user name and password in it become a header, since the
 * client would drop them.
 */
export function parsePostTarget(endpointUrl: string): PostTarget {
  const url = new URL(endpointUrl);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json',
  };
  if (url.username !== '' || url.password !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    url.username = '';
    url.password = '';
  }
  return { url, headers };
}

/**
 * Posts JSON text and gives the status and the parsed body, or why there is none. Follows no
 * redirect. Never lets an error of the HTTP client through: those repeat the whole URL.
 */
export async function postJson(
  { url, headers }: PostTarget,
  options: { body: string; dispatcher: Dispatcher; signal: AbortSignal },
): Promise<HttpAnswer | EndpointFailure> {
  try {
    const response = await request(url, { method: 'POST', headers, ...options });
    const text = await readText(response.body);
    if (text === undefined) {
      return { reason: 'garbage', message: `the answer is longer than ${longestBody} bytes` };
    }
    return {
      status: response.statusCode,
      retryAfter: first(response.headers['retry-after']),
      body: parse(text),
    };
  } catch (error) {
    return { reason: 'connection', message: `no answer (${errorCode(error)})` };
  }
}

export type HttpAnswer = {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Undefined when the body is not JSON. */
  readonly body: unknown;
};

async function readText(body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > longestBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** `ECONNREFUSED` and the like, the only part of the error that cannot hold a secret. */
function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'broken off';
}
