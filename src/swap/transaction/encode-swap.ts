import type { Router } from '../deployments/deployment.ts';
import { encodeExecutor } from '../executor/encode-executor.ts';
import type { SwapOrder, TransactionCall } from '../swap-order.ts';
import { encodeSwapRouter02 } from './encode-swap-router-02.ts';
import { encodeV2Router } from './encode-v2-router.ts';

const encoders = {
  tradewind: encodeExecutor,
  'swap-router-02': encodeSwapRouter02,
  'v2-router': encodeV2Router,
} as const satisfies Record<Router['kind'], unknown>;

/** The one door to the routers: an order as the call that executes it. */
export function encodeSwap({ kind, address }: Router, order: SwapOrder): TransactionCall {
  return encoders[kind](address, order);
}
