import { JsonError } from '../../kernel/text/json.ts';
import { onAbort } from '../../kernel/wait/cancel.ts';
import { devchainLimits } from '../limits.ts';
import type { KeepAnswer } from './answer-json-rpc.ts';

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
    /** Takes room for an answer, and returns what gives it back; a word if there is none. */
    readonly takeRoom?: (characters: number) => (() => void) | string;
    readonly handle: (jsonRpc: string, signal: AbortSignal, keep: KeepAnswer) => Promise<string>;
  },
): Promise<Response> {
  const { isForeignPage, full, handle, takeRoom = () => () => {} } = options;
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
  const held: (() => void)[] = [];
  const release = () => {
    for (const giveBack of held.splice(0)) giveBack();
  };
  const keep = (characters: number) => {
    const taken = takeRoom(characters);
    if (typeof taken === 'string') return false;
    held.push(taken);
    return true;
  };
  try {
    const answer = await handle(body, request.signal, keep);
    if (answer.length > smallAnswer) return respond(200, inParts(answer, release, request.signal));
    release();
    return answer === ''
      ? new Response(null, { status: 204, headers: corsHeaders })
      : respond(200, answer);
  } catch (error) {
    release();
    if (!(error instanceof JsonError)) throw error;
    return refuse(400, `The body ${error.message}.`);
  }
}

/** So much is handed over at once; of more, the room is given back when the caller has taken it [F95]. */
const smallAnswer = 64 * 1024;

/** The text as a stream, which is read as fast as the caller takes it. `release` runs once it is read, or the caller has left. */
function inParts(
  text: string,
  release: () => void,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text);
  let at = 0;
  const stopListening = onAbort(signal, release);
  const end = () => {
    stopListening();
    release();
  };
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(at, at + smallAnswer));
        at += smallAnswer;
        if (at < bytes.length) return;
        controller.close();
        end();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
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

function respond(status: number, body: string | ReadableStream<Uint8Array>): Response {
  const allow = status === 405 ? { allow: 'POST, OPTIONS' } : {};
  const retry = status === 429 || status === 503 ? { 'retry-after': '1' } : {};
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/json', ...corsHeaders, ...allow, ...retry },
  });
}
