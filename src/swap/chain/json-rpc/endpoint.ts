import type { Clock } from '../../../kernel/wait/clock.ts';
import { createBatches } from './batches.ts';
import { parsePostTarget } from './post-json.ts';
import { classifyRpcError, type EndpointFailure, isFailure } from './rpc-failures.ts';
import type { RpcAnswer, RpcRequest } from './rpc-messages.ts';
import type { RpcTransport } from './rpc-transport.ts';

/** How an endpoint has behaved lately, and until when it is left out. */
type EndpointHealth = {
  readonly latency: Latency | undefined;
  /** Failures since the last success. */
  readonly failures: number;
  /** Epoch milliseconds; in the past when the endpoint is in use. */
  readonly leftOutUntil: number;
  readonly lastFailure: EndpointFailure | undefined;
};

export const unknownHealth: EndpointHealth = {
  latency: undefined,
  failures: 0,
  leftOutUntil: 0,
  lastFailure: undefined,
};

const firstLeave = 1_000;
const longestLeave = 60_000;
/** A wrong chain id means a wrong address: it does not go away by itself. */
const wrongChainLeave = 600_000;
const toleratedErrors = 2;
/** For an endpoint that limits us and does not say for how long. */
const rateLimitLeave = 5_000;
/** If an endpoint asks for a longer wait, it is tried again after this. */
const longestRateLimitLeave = 300_000;

export function afterSuccess(health: EndpointHealth, milliseconds: number): EndpointHealth {
  return { ...unknownHealth, latency: observeLatency(health.latency, milliseconds) };
}

/**
 * An endpoint that fails is left out, twice as long each time in a row. An endpoint that does not know a block is
 * not left out: every node lags behind the head now and then. Nor is an endpoint that answers with a JSON-RPC
 * error, until the third failure in a row.
 */
export function afterFailure(
  health: EndpointHealth,
  failure: EndpointFailure,
  now: number,
): EndpointHealth {
  if (failure.reason === 'unknown-block') return { ...health, lastFailure: failure };
  return {
    ...health,
    failures: health.failures + 1,
    leftOutUntil: now + leave(health, failure),
    lastFailure: failure,
  };
}

/** Whether the endpoint must not be asked at all, rather than after all others. */
export function isBanned({ leftOutUntil, lastFailure }: EndpointHealth, now: number): boolean {
  const { reason } = lastFailure ?? {};
  return leftOutUntil > now && (reason === 'rate-limited' || reason === 'wrong-chain');
}

function leave({ failures }: EndpointHealth, { reason, retryAfterMs }: EndpointFailure): number {
  if (reason === 'wrong-chain') return wrongChainLeave;
  if (reason === 'error' && failures < toleratedErrors) return 0;
  const doubling = Math.min(longestLeave, firstLeave * 2 ** failures);
  if (reason !== 'rate-limited') return Math.max(doubling, retryAfterMs ?? 0);
  return Math.min(longestRateLimitLeave, retryAfterMs ?? Math.max(rateLimitLeave, doubling));
}

/** A JSON-RPC endpoint and what has been learned of it: its limits, its habits, its health. */
export type RpcEndpoint = {
  /** How errors name it: by default the URL without anything that may be a secret, which is scheme, host and port. */
  readonly name: string;
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
    name: target.url.origin,
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

/** A running estimate of how long an endpoint takes to answer, in milliseconds. */
export type Latency = {
  readonly mean: number;
  readonly deviation: number;
};

/** Until an endpoint has answered once: slower than most public ones, so a hedge is rarely wasted. */
const unknownDelay = 500;
/** Below this a second request costs more than it can save. */
const shortestDelay = 30;
/** A person waiting for a quote notices anything longer. */
const longestDelay = 2_000;

/** Jacobson's estimator with the gains of RFC 6298, section 2. */
export function observeLatency(latency: Latency | undefined, milliseconds: number): Latency {
  if (latency === undefined) return { mean: milliseconds, deviation: milliseconds / 2 };
  const error = milliseconds - latency.mean;
  return {
    mean: latency.mean + error / 8,
    deviation: latency.deviation + (Math.abs(error) - latency.deviation) / 4,
  };
}

/** How long to wait for the endpoint before another is asked too: RFC 6298's retransmission timeout. */
export function hedgeDelay(latency: Latency | undefined): number {
  if (latency === undefined) return unknownDelay;
  const delay = latency.mean + 4 * latency.deviation;
  return Math.min(longestDelay, Math.max(shortestDelay, delay));
}
