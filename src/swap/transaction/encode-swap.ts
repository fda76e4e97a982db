import type { Router } from '../deployments/deployment.ts';
import { encodeExecutor } from '../executor/encode-executor.ts';
import type { Address } from '../model/address.ts';
import type { SwapOrder, TransactionCall } from '../swap-order.ts';
import { encodeSwapRouter02 } from './encode-swap-router-02.ts';
import { encodeV2Router } from './encode-v2-router.ts';

const encoders = {
  tradewind: encodeExecutor,
  'swap-router-02': encodeSwapRouter02,
  'v2-router': encodeV2Router,
} as const satisfies Record<Router['kind'], unknown>;

/** Recipients that a kind of router takes for somebody else: SwapRouter02 for its caller and for itself [F69]. */
const otherMeanings: Partial<Record<Router['kind'], readonly bigint[]>> = {
  'swap-router-02': [1n, 2n],
};

/** Whether this kind of router pays somebody else in the place of this recipient. */
export function paysSomebodyElse({ kind }: Pick<Router, 'kind'>, recipient: Address): boolean {
  return otherMeanings[kind]?.includes(BigInt(recipient)) === true;
}

/** The one door to the routers: an order as the call that executes it. */
export function encodeSwap({ kind, address }: Router, order: SwapOrder): TransactionCall {
  return encoders[kind](address, order);
}
