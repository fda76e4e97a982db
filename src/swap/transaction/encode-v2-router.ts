import { encodeFunctionData, parseAbi } from 'viem/utils';
import type { Address } from '../model/address.ts';
import type { SwapOrder, TransactionCall } from '../swap-order.ts';

// The variants that measure what arrives work for ordinary tokens too, at a few hundred gas more, so
// that a token which taxes transfers needs no case of its own.
const v2RouterAbi = parseAbi([
  'function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
]);

/**
 * Encodes an order of a single path over constant-product pools for a router with the interface of
 * Uniswap's V2 Router02, which all of its forks share. Throws a RangeError for several paths: such a
 * router has no way to join them.
 */
export function encodeV2Router(router: Address, order: SwapOrder): TransactionCall {
  const { paths, minAmountOut, recipient, deadline, isNativeIn, isNativeOut } = order;
  if (paths.length > 1) {
    throw new RangeError(`A V2 router takes one path and this order has ${paths.length}`);
  }
  const [{ hops, amountIn }] = paths;
  const path = [hops[0].tokenIn, ...hops.map(({ tokenOut }) => tokenOut)];
  if (isNativeIn) {
    const functionName = 'swapExactETHForTokensSupportingFeeOnTransferTokens';
    const args = [minAmountOut, path, recipient, deadline] as const;
    return {
      to: router,
      data: encodeFunctionData({ abi: v2RouterAbi, functionName, args }),
      value: amountIn,
    };
  }
  const functionName = isNativeOut
    ? 'swapExactTokensForETHSupportingFeeOnTransferTokens'
    : 'swapExactTokensForTokensSupportingFeeOnTransferTokens';
  const args = [amountIn, minAmountOut, path, recipient, deadline] as const;
  return {
    to: router,
    data: encodeFunctionData({ abi: v2RouterAbi, functionName, args }),
    value: 0n,
  };
}
