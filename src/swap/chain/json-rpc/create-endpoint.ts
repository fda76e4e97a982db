import type { Clock } from '../../../kernel/clock.ts';
import { classifyRpcError } from './classify-rpc-error.ts';
import type { RpcTransport } from './create-rpc-transport.ts';
import { type EndpointFailure, isFailure } from './endpoint-failure.ts';
import {
  afterFailure,
  afterSuccess,
  type EndpointHealth,
  unknownHealth,
} from './endpoint-health.ts';
import { parsePostTarget } from './post-json.ts';
import type { RpcAnswer, RpcRequest } from './rpc-message.ts';
import { sendBatch } from './send-batch.ts';

/** A JSON-RPC endpoint and what has been learned of it: its limits, its habits, its health. */
export type Endpoint = {
  /** The URL without anything that may be a secret: scheme, host and port. */
  readonly origin: string;
  readonly health: EndpointHealth;
  /** Whether a read may name its block by hash (EIP-1898), or only by number. */
  readonly takesBlockHash: boolean;
  /**
   * Answers in the order of the requests. An error that concerns one request is its answer; one that
   * concerns the endpoint is a failure of the whole.
   */
  send(
    requests: readonly RpcRequest[],
    signal: AbortSignal,
  ): Promise<readonly RpcAnswer[] | EndpointFailure>;
  succeeded(milliseconds: number): void;
  failed(failure: EndpointFailure): void;
};

/** After this an endpoint is asked again which chain it serves, in milliseconds. */
const verificationLifetime = 600_000;

/**
 * Opens nothing: the first `send` connects. That one also asks for the chain id and whether the node
 * minds the block a call names, in the same batch. Batches are halved until the endpoint takes them,
 * down to single requests, and the size it took is remembered.
 */
export function createEndpoint(options: {
  url: string;
  chainId: number;
  transport: RpcTransport;
  clock: Clock;
}): Endpoint {
  const { url, chainId, transport, clock } = options;
  const target = parsePostTarget(url);
  let health = unknownHealth;
  let takesBlockHash = true;
  let verifiedUntil = 0;
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

  /** Asks once more, half as many at a time, for what did not fit into the answer to the batch. */
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

  function verify([chain, phantom]: readonly RpcAnswer[]): EndpointFailure | undefined {
    if (chain === undefined || !('result' in chain)) {
      return { reason: 'garbage', message: 'the endpoint does not say which chain it serves' };
    }
    const claimed = Number(chain.result);
    if (claimed !== chainId) {
      const message = `the endpoint serves chain ${claimed}, not ${chainId}`;
      return { reason: 'wrong-chain', message };
    }
    // A call at a block that cannot be must fail, and for that reason: a node which answers it, or
    // does not understand it, minds numbers only.
    takesBlockHash =
      phantom !== undefined &&
      'error' in phantom &&
      classifyRpcError(phantom.error) !== 'invalid-params';
    verifiedUntil = clock.now() + verificationLifetime;
    return undefined;
  }

  return {
    origin: target.url.origin,
    get health() {
      return health;
    },
    get takesBlockHash() {
      return takesBlockHash;
    },
    async send(requests, signal) {
      if (clock.now() < verifiedUntil) return sendAll(requests, signal);
      const answers = await sendAll([...verification, ...requests], signal);
      if (isFailure(answers)) return answers;
      return verify(answers) ?? answers.slice(verification.length);
    },
    succeeded(milliseconds) {
      health = afterSuccess(health, milliseconds);
    },
    failed(failure) {
      health = afterFailure(health, failure, clock.now());
    },
  };
}

const zeroAddress = `0x${'00'.repeat(20)}`;
/** No block has this hash, short of breaking Keccak-256. */
const phantomBlock = { blockHash: `0x${'11'.repeat(32)}`, requireCanonical: true };
const verification: readonly RpcRequest[] = [
  { method: 'eth_chainId', params: [] },
  { method: 'eth_call', params: [{ to: zeroAddress, data: '0x' }, phantomBlock] },
];

function isTooLarge(answer: RpcAnswer | undefined): boolean {
  return (
    answer !== undefined && 'error' in answer && classifyRpcError(answer.error) === 'too-large'
  );
}
