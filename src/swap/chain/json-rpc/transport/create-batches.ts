import type { Clock } from '../../../../kernel/time/clock.ts';
import { type EndpointFailure, isFailure } from '../endpoint-failure.ts';
import { classifyRpcError } from '../messages/classify-rpc-error.ts';
import type { RpcAnswer, RpcRequest } from '../messages/rpc-message.ts';
import type { RpcTransport } from './create-rpc-transport.ts';
import type { PostTarget } from './post-json.ts';
import { sendBatch } from './send-batch.ts';

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
