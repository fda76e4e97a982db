import { Agent, type Dispatcher } from 'undici';
import type { Metrics } from '../../../kernel/telemetry/metrics.ts';
import { createQueue, type Queue } from '../../../kernel/wait/queue.ts';
import { swapLimits } from '../../limits.ts';
import type { FailureReason } from './rpc-failures.ts';

/** The connections of this process to all RPC endpoints. */
export type RpcTransport = {
  readonly dispatcher: Dispatcher;
  /** Bounds the requests under way, and with them the answers in memory [D5]. */
  readonly turns: Queue;
  /** Called for each answer and each failure of an endpoint, by chain. */
  readonly observe?: ObserveRpc | undefined;
  /** Waits for the requests under way. */
  close(): Promise<void>;
  /** Aborts the requests under way. */
  destroy(): Promise<void>;
};

type ObserveRpc = (
  chainId: number,
  outcome: { readonly milliseconds: number } | { readonly failure: FailureReason },
) => void;

export function createRpcTransport(observe?: ObserveRpc): RpcTransport {
  const dispatcher = new Agent({ keepAliveTimeout: 30_000 });
  return {
    dispatcher,
    observe,
    turns: createQueue(swapLimits.rpcRequestsAtOnce.value),
    close: () => dispatcher.close(),
    destroy: () => dispatcher.destroy(),
  };
}

// In seconds, from the time of a local node to the longest that a read may take.
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts what RPC endpoints answer and how they fail, by chain; no label names an endpoint, whose URL may hold a key (T5). */
export function observeRpc(metrics: Metrics): ObserveRpc {
  const durations = metrics.histogram({
    name: 'rpc_request_duration_seconds',
    help: 'Time that RPC endpoints take to answer, by chain.',
    labels: ['chain'],
    buckets,
  });
  const failures = metrics.counter({
    name: 'rpc_failures_total',
    help: 'Failures of RPC endpoints, by chain and reason.',
    labels: ['chain', 'reason'],
  });
  return (chainId, outcome) => {
    const chain = String(chainId);
    if ('failure' in outcome) failures.inc({ chain, reason: outcome.failure });
    else durations.series({ chain }).observe(outcome.milliseconds / 1_000);
  };
}
