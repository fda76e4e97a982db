import { concat, numberToHex } from 'viem/utils';
import type { ExecutorHop } from '../pool-kind.ts';
import type { UniswapV4State } from './uniswap-v4-pool.ts';

// As in ManagedSwaps.sol.
const nativeIn = 1;
const nativeOut = 2;
const noHooks = `0x${'00'.repeat(20)}` as const;

/**
 * The pool's key without the currencies, which are the tokens of the hop. A flag says if the wrapped token
 * stands for the native currency.
 */
export function encodeUniswapV4Hop({ key }: UniswapV4State, zeroForOne: boolean): ExecutorHop {
  const isNative = BigInt(key.currency0) === 0n;
  const flags = isNative ? (zeroForOne ? nativeIn : nativeOut) : 0;
  return {
    number: 2,
    extra: concat([
      numberToHex(flags, { size: 1 }),
      numberToHex(key.fee, { size: 3 }),
      numberToHex(key.tickSpacing, { size: 3 }),
      noHooks,
    ]),
  };
}
