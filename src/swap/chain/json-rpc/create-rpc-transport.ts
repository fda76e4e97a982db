import { Agent, type Dispatcher } from 'undici';
import { createTurnstile, type Turnstile } from '../../../kernel/turnstile.ts';
import { swapLimits } from '../../limits.ts';

/** How this process reaches RPC endpoints, all of them together. */
export type RpcTransport = {
  readonly dispatcher: Dispatcher;
  /** Bounds the requests under way, and with them the answers in memory [D5]. */
  readonly turns: Turnstile;
  /** Waits for what is under way. */
  close(): Promise<void>;
  /** Breaks off what is under way. */
  destroy(): Promise<void>;
};

export function createRpcTransport(): RpcTransport {
  const dispatcher = new Agent({ keepAliveTimeout: 30_000 });
  return {
    dispatcher,
    turns: createTurnstile(swapLimits.rpcRequestsAtOnce.value),
    close: () => dispatcher.close(),
    destroy: () => dispatcher.destroy(),
  };
}
