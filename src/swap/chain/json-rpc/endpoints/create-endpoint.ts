import type { Clock } from '../../../../kernel/time/clock.ts';
import { type EndpointFailure, isFailure } from '../endpoint-failure.ts';
import { classifyRpcError } from '../messages/classify-rpc-error.ts';
import type { RpcAnswer, RpcRequest } from '../messages/rpc-message.ts';
import { createBatches } from '../transport/create-batches.ts';
import type { RpcTransport } from '../transport/create-rpc-transport.ts';
import { parsePostTarget } from '../transport/post-json.ts';
import {
  afterFailure,
  afterSuccess,
  type EndpointHealth,
  unknownHealth,
} from './endpoint-health.ts';

/** A JSON-RPC endpoint and what has been learned of it: its limits, its habits, its health. */
export type RpcEndpoint = {
  /** The URL without anything that may be a secret: scheme, host and port. */
  readonly origin: string;
  readonly health: EndpointHealth;
  /** Whether a read may name its block by hash (EIP-1898), or only by number. */
  readonly takesBlockHash: boolean;
  /**
   * Answers in the order of the requests. An error of one request is the answer to it; an error of
   * the endpoint fails all of them.
   */
  send(
    requests: readonly RpcRequest[],
    signal: AbortSignal,
  ): Promise<readonly RpcAnswer[] | EndpointFailure>;
  succeeded(milliseconds: number): void;
  failed(failure: EndpointFailure): void;
};

/** How long the chain id of an endpoint counts as verified, in milliseconds. */
const verificationLifetime = 600_000;

/**
 * Opens no connection: the first `send` does. Its batch also asks for the chain id, and tests
 * whether the node honours the block hash that a call names.
 */
export function createEndpoint(options: {
  url: string;
  chainId: number;
  transport: RpcTransport;
  clock: Clock;
  isOurs?: boolean | undefined;
}): RpcEndpoint {
  const { url, chainId, transport, clock, isOurs = false } = options;
  const target = parsePostTarget(url);
  let health = unknownHealth;
  let takesBlockHash = true;
  let verifiedUntil = 0;
  const sendBatches = createBatches({ target, transport, clock });

  /** What limits the rate of others' endpoints says of our own that it is busy [N23]. */
  async function sendAll(requests: readonly RpcRequest[], signal: AbortSignal) {
    const answers = await sendBatches(requests, signal);
    if (!isOurs || !isFailure(answers) || answers.reason !== 'rate-limited') return answers;
    return { reason: 'error', message: 'too much was asked of the chain of this server' } as const;
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
    // A call at a block that cannot exist must fail for that reason. A node that answers the call,
    // or does not understand it, honours block numbers only.
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
      transport.observe?.(chainId, { milliseconds });
    },
    failed(failure) {
      health = afterFailure(health, failure, clock.now());
      transport.observe?.(chainId, { failure: failure.reason });
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
