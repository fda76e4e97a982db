import { Agent, type Dispatcher } from 'undici';
import { createTurnstile, type Turnstile } from '../../../../kernel/turnstile.ts';
import { swapLimits } from '../../../limits.ts';
import type { FailureReason } from '../endpoint-failure.ts';

/** The connections of this process to all RPC endpoints. */
export type RpcTransport = {
  readonly dispatcher: Dispatcher;
  /** Bounds the requests under way, and with them the answers in memory [D5]. */
  readonly turns: Turnstile;
  /** Called for each answer and each failure of an endpoint, by chain. */
  readonly observe?: ObserveRpc | undefined;
  /** Waits for the requests under way. */
  close(): Promise<void>;
  /** Aborts the requests under way. */
  destroy(): Promise<void>;
};

export type ObserveRpc = (
  chainId: number,
  outcome: { readonly milliseconds: number } | { readonly failure: FailureReason },
) => void;

export function createRpcTransport(observe?: ObserveRpc): RpcTransport {
  const dispatcher = new Agent({ keepAliveTimeout: 30_000 });
  return {
    dispatcher,
    observe,
    turns: createTurnstile(swapLimits.rpcRequestsAtOnce.value),
    close: () => dispatcher.close(),
    destroy: () => dispatcher.destroy(),
  };
}
