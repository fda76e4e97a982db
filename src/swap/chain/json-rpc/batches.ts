import { currentSpan, type Span } from '../../../kernel/telemetry/trace.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { swapLimits } from '../../limits.ts';
import { type HttpAnswer, type PostTarget, postJson } from './post-json.ts';
import { classifyRpcError, type EndpointFailure, isFailure } from './rpc-failures.ts';
import {
  type RpcAnswer,
  type RpcRequest,
  readAnswers,
  readError,
  writeRequests,
} from './rpc-messages.ts';
import type { RpcTransport } from './rpc-transport.ts';

/**
 * Sends requests to one endpoint and returns the answers in their order. Batches are halved until the endpoint takes
 * them, down to single requests, and the size it took is remembered.
 */
export function createBatches(options: {
  readonly target: PostTarget;
  readonly transport: RpcTransport;
  readonly clock: Clock;
}): (
  requests: readonly RpcRequest[],
  signal: AbortSignal,
) => Promise<readonly RpcAnswer[] | EndpointFailure> {
  const { target, transport, clock } = options;
  let longestBatch = Number.POSITIVE_INFINITY;

  async function sendAll(
    requests: readonly RpcRequest[],
    signal: AbortSignal,
  ): Promise<readonly RpcAnswer[] | EndpointFailure> {
    if (requests.length > longestBatch) return sendParts(requests, { size: longestBatch, signal });
    const answers = await sendBatch(requests, { target, transport, signal, now: clock.now() });
    if (answers === 'batch-refused') {
      longestBatch = Math.min(longestBatch, Math.ceil(requests.length / 2));
      return sendAll(requests, signal);
    }
    if (isFailure(answers) || requests.length === 1) return answers;
    return sendTooLargeAgain(requests, { answers, signal });
  }

  async function sendParts(
    requests: readonly RpcRequest[],
    { size, signal }: { size: number; signal: AbortSignal },
  ): Promise<readonly RpcAnswer[] | EndpointFailure> {
    const parts: Promise<readonly RpcAnswer[] | EndpointFailure>[] = [];
    for (let start = 0; start < requests.length; start += size) {
      parts.push(sendAll(requests.slice(start, start + size), signal));
    }
    const answers: RpcAnswer[] = [];
    for (const part of await Promise.all(parts)) {
      if (isFailure(part)) return part;
      answers.push(...part);
    }
    return answers;
  }

  /** Repeats the requests whose answers did not fit into the answer to the batch, half as many at a time. */
  async function sendTooLargeAgain(
    requests: readonly RpcRequest[],
    { answers, signal }: { answers: readonly RpcAnswer[]; signal: AbortSignal },
  ): Promise<readonly RpcAnswer[] | EndpointFailure> {
    const missing = requests.filter((_, index) => isTooLarge(answers[index]));
    if (missing.length === 0) return answers;
    const size = Math.ceil(Math.min(missing.length, requests.length - 1) / 2);
    const found = await sendParts(missing, { size, signal });
    if (isFailure(found)) return found;
    const rest = found.values();
    return answers.map((answer) => (isTooLarge(answer) ? (rest.next().value ?? answer) : answer));
  }

  return sendAll;
}

function isTooLarge(answer: RpcAnswer | undefined): boolean {
  return (
    answer !== undefined && 'error' in answer && classifyRpcError(answer.error) === 'too-large'
  );
}

/** Statuses with which gateways turn away a batch, while they would take its requests one by one. */
const batchRefusals = new Set([400, 405, 413, 415, 422, 501]);

/**
 * Posts the requests as one message, a span of the current trace if there is one (T5), and returns the answers in
 * order. `batch-refused` says that the node may take fewer of them at a time; it is never the answer to a single
 * request.
 */
export async function sendBatch(
  requests: readonly RpcRequest[],
  { target, now, ...options }: SendOptions,
): Promise<readonly RpcAnswer[] | EndpointFailure | 'batch-refused'> {
  const span = currentSpan()?.call();
  const http = await postJson(target, {
    ...options,
    body: writeRequests(requests),
    longestAnswer: longestAnswer(requests),
  });
  endSpan(span, { requests, target, http });
  if (isFailure(http)) return http;
  if (http.status === 429) return rateLimited(http, now);

  const answers = readAnswers(http.body, requests.length);
  if (answers !== undefined) return answers.find(isRateLimit) ? rateLimited(http, now) : answers;

  const error = readError(http.body);
  if (error !== undefined && classifyRpcError(error) === 'rate-limited') {
    return rateLimited(http, now);
  }
  const isRefusal = batchRefusals.has(http.status) || (error !== undefined && http.status < 500);
  if (requests.length > 1 && isRefusal) return 'batch-refused';
  if (http.status < 200 || http.status > 299) {
    return { reason: 'status', message: `HTTP status ${http.status}` };
  }
  return { reason: 'garbage', message: 'the answer is not a JSON-RPC response to the request' };
}

function endSpan(
  span: Span | undefined,
  told: {
    readonly requests: readonly RpcRequest[];
    readonly target: PostTarget;
    readonly http: HttpAnswer | EndpointFailure;
  },
): void {
  if (span === undefined) return;
  const { requests, target, http } = told;
  const methods = [...new Set(requests.map(({ method }) => method))].join(' ');
  span.end({
    name: `JSON-RPC ${methods}`,
    // Only the host name: path and query may hold a key of the endpoint.
    attributes: {
      'rpc.system': 'jsonrpc',
      'rpc.method': methods,
      'rpc.requests': requests.length,
      'server.address': target.url.hostname,
      ...(isFailure(http) ? {} : { 'http.response.status_code': http.status }),
    },
    isFailure: isFailure(http) || http.status >= 400,
  });
}

type SendOptions = {
  readonly target: PostTarget;
  readonly transport: RpcTransport;
  readonly signal: AbortSignal;
  /** Epoch milliseconds, to read a date in `Retry-After`. */
  readonly now: number;
};

function isRateLimit(answer: RpcAnswer): boolean {
  return 'error' in answer && classifyRpcError(answer.error) === 'rate-limited';
}

function rateLimited({ retryAfter }: HttpAnswer, now: number): EndpointFailure {
  const retryAfterMs = readRetryAfter(retryAfter, now);
  return {
    reason: 'rate-limited',
    message: 'the endpoint limits the rate of requests',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** RFC 9110, section 10.2.3: seconds or a date. */
function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The most bytes to read of the answers to these requests together [F4]. */
function longestAnswer(requests: readonly RpcRequest[]): number {
  const { rpcAnswer, rpcCallAnswer, rpcBlockAnswer, rpcLogsAnswer, rpcBatchAnswer } = swapLimits;
  const byMethod = new Map<string, number>([
    ['eth_call', rpcCallAnswer.value],
    ['eth_getBlockByNumber', rpcBlockAnswer.value],
    ['eth_getLogs', rpcLogsAnswer.value],
  ]);
  let bytes = 0;
  for (const { method } of requests) bytes += byMethod.get(method) ?? rpcAnswer.value;
  return Math.min(bytes, rpcBatchAnswer.value);
}
