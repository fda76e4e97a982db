import { JsonError } from '../../kernel/text/json.ts';
import { devchainLimits } from '../limits.ts';

/** As much as go-ethereum reads of a request. */
const bodyLimit = devchainLimits.body.value;

/** Pages of any origin may read answers: the chain knows no caller, so there is no credential to borrow. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
};

/** Too many calls wait: of the caller (429), or of all (503). */
export type Full = { readonly status: 429 | 503; readonly message: string };

/**
 * JSON-RPC over HTTP: answers a POST with what `handle` makes of its body, a browser's preflight, and
 * nothing else. Failures of the transport itself are JSON-RPC errors too, with their HTTP status: 400 for
 * JSON that is nested too deep, 405 for another method, 413 for a body over 5 MiB, 415 for anything but
 * JSON from a foreign page, since browsers post text without a preflight (F14), 429 and 503 where too many calls wait,
 * of this caller or of all (N23).
 */
export async function serveJsonRpc(
  request: Request,
  options: {
    readonly isForeignPage: boolean;
    /** Why there is no place for one more call to wait. */
    readonly full: () => Full | undefined;
    readonly handle: (jsonRpc: string, signal: AbortSignal) => Promise<string>;
  },
): Promise<Response> {
  const { isForeignPage, full, handle } = options;
  if (request.method === 'OPTIONS')
    return new Response(null, { status: 204, headers: corsHeaders });
  if (request.method !== 'POST') {
    return refuse(405, `Send JSON-RPC by POST, not by ${request.method}.`);
  }
  const type = request.headers.get('content-type') ?? '';
  if (isForeignPage && !/^application\/json *(;|$)/i.test(type)) {
    return refuse(415, 'Pages of other origins must send JSON-RPC as application/json.');
  }
  const body = await readBody(request);
  if (body === undefined) {
    return refuse(413, `The body is longer than ${bodyLimit} bytes: send smaller batches.`);
  }
  const refusal = full();
  if (refusal !== undefined) return refuse(refusal.status, refusal.message, { code: -32005 });
  try {
    const answer = await handle(body, request.signal);
    return answer === ''
      ? new Response(null, { status: 204, headers: corsHeaders })
      : respond(200, answer);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return refuse(400, `The body ${error.message}.`);
  }
}

async function readBody(request: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > bodyLimit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refuse(status: number, message: string, { code = -32600 } = {}): Response {
  const error = { code, message };
  return respond(status, JSON.stringify({ jsonrpc: '2.0', id: null, error }));
}

function respond(status: number, body: string): Response {
  const allow = status === 405 ? { allow: 'POST, OPTIONS' } : {};
  const retry = status === 429 || status === 503 ? { 'retry-after': '1' } : {};
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/json', ...corsHeaders, ...allow, ...retry },
  });
}
