import { request } from 'undici';
import { parseJson } from '../../../kernel/text/json.ts';
import { swapLimits } from '../../limits.ts';
import type { EndpointFailure } from './rpc-failures.ts';
import type { RpcTransport } from './rpc-transport.ts';

export type PostTarget = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
};

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

type PostOptions = {
  readonly body: string;
  /** An answer of more bytes is not read to its end. */
  readonly longestAnswer: number;
  readonly transport: RpcTransport;
  readonly signal: AbortSignal;
};

/**
 * Posts JSON text when its turn comes, and returns the status and the parsed body, or why there is none. Follows no
 * redirect. Hides errors of the HTTP client: they contain the whole URL.
 */
export async function postJson(
  target: PostTarget,
  options: PostOptions,
): Promise<HttpAnswer | EndpointFailure> {
  const { transport, signal } = options;
  try {
    return await transport.turns.pass(() => post(target, options), { signal });
  } catch (error) {
    return { reason: 'connection', message: `no answer (${errorCode(error)})` };
  }
}

async function post(
  { url, headers }: PostTarget,
  { body, longestAnswer, transport: { dispatcher }, signal }: PostOptions,
): Promise<HttpAnswer | EndpointFailure> {
  const send = () => request(url, { method: 'POST', headers, body, dispatcher, signal });
  // The server may close a kept-alive connection at the moment it is used again. Then the request is sent once more, on a
  // new one. Only reads are posted, so a request that arrives twice does no harm.
  const response = await send().catch((error: unknown) => {
    if (!closings.has(errorCode(error)) || signal.aborted) throw error;
    return send();
  });
  const text = await readText(response.body, longestAnswer);
  if (text === undefined) {
    // A token contract can make an honest node's answer too long, so one such answer is no reason to leave the node out.
    return { reason: 'error', message: `the answer is longer than ${longestAnswer} bytes` };
  }
  return {
    status: response.statusCode,
    retryAfter: first(response.headers['retry-after']),
    body: parse(text),
  };
}

/** The error codes of a connection that was closed before an answer began. */
const closings = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

export type HttpAnswer = {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Undefined when the body is not JSON, or nested too deep, or too many values. */
  readonly body: unknown;
};

async function readText(body: AsyncIterable<Buffer>, longest: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > longest) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return parseJson(text, {
      mostValues: swapLimits.rpcValues.value,
      mostNames: swapLimits.rpcNames.value,
    });
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
  return typeof code === 'string' ? code : 'connection broken';
}
