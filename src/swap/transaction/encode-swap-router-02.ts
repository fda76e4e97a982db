import type { Hex } from 'viem';
import { encodeFunctionData, encodePacked, parseAbi } from 'viem/utils';
import type { Address } from '../model/address.ts';
import {
  type Hop,
  type Path,
  type SwapOrder,
  type TransactionCall,
  totalAmountIn,
} from '../swap-order.ts';

const abi = parseAbi([
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])',
  'function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params) payable returns (uint256)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable returns (uint256)',
  'function sweepToken(address token, uint256 amountMinimum, address recipient) payable',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function refundETH() payable',
]);

// Constants.sol of swap-router-contracts: the router itself as recipient, and "all that it holds" as amount.
const routerItself = '0x0000000000000000000000000000000000000002';
const contractBalance = 0n;

/**
 * Encodes an order for Uniswap's SwapRouter02: every path in turn inside one `multicall` with the
 * deadline. A path that changes between V2 and V3 pools passes through the router's own balance,
 * which holds nothing else of that token at that moment because paths run one after another.
 *
 * A single path pays its recipient directly, so that a token that taxes transfers is taxed once and
 * the minimum counts after the tax; several are gathered in the router and swept with the minimum
 * on the whole. Does not check that the pools belong to the router's factories.
 */
export function encodeSwapRouter02(router: Address, order: SwapOrder): TransactionCall {
  const { paths, tokenOut, minAmountOut, recipient, deadline, isNativeIn, isNativeOut } = order;
  const isGathered = isNativeOut || paths.length > 1;
  const pathRecipient = isGathered ? routerItself : recipient;
  const calls = paths.flatMap((path) =>
    encodePath(path, pathRecipient, isGathered ? 0n : minAmountOut),
  );
  if (isNativeOut) {
    const args = [minAmountOut, recipient] as const;
    calls.push(encodeFunctionData({ abi, functionName: 'unwrapWETH9', args }));
  } else if (isGathered) {
    const args = [tokenOut, minAmountOut, recipient] as const;
    calls.push(encodeFunctionData({ abi, functionName: 'sweepToken', args }));
  }
  // What a V3 pool leaves of the native token would stay in the router for anyone to take.
  if (isNativeIn) calls.push(encodeFunctionData({ abi, functionName: 'refundETH' }));
  return {
    to: router,
    data: encodeFunctionData({ abi, functionName: 'multicall', args: [deadline, calls] }),
    value: isNativeIn ? totalAmountIn(order) : 0n,
  };
}

function encodePath(
  { hops, amountIn }: Path,
  recipient: Address | typeof routerItself,
  minimum: bigint,
): Hex[] {
  const stretches = splitByVersion(hops);
  return stretches.map((stretch, index) => {
    const isLast = index === stretches.length - 1;
    return encodeStretch(stretch, {
      amountIn: index === 0 ? amountIn : contractBalance,
      recipient: isLast ? recipient : routerItself,
      minimum: isLast ? minimum : 0n,
    });
  });
}

/** The hops in runs of pools of one version, as the router's two functions take them. */
function splitByVersion(hops: readonly Hop[]): (readonly [Hop, ...Hop[]])[] {
  const stretches: [Hop, ...Hop[]][] = [];
  for (const hop of hops) {
    const current = stretches.at(-1);
    if (current && versionOf(current[0]) === versionOf(hop)) current.push(hop);
    else stretches.push([hop]);
  }
  return stretches;
}

/** Throws a RangeError for a pool that Uniswap's routers cannot swap in: routes for them hold none. */
function versionOf({ leg, pool }: Hop): 2 | 3 {
  if (leg === undefined) throw new RangeError(`No router of Uniswap swaps in the pool ${pool}`);
  return leg.version;
}

function encodeStretch(
  stretch: readonly [Hop, ...Hop[]],
  { amountIn, recipient, minimum }: { amountIn: bigint; recipient: Hex; minimum: bigint },
): Hex {
  if (versionOf(stretch[0]) === 2) {
    const path = [stretch[0].tokenIn, ...stretch.map(({ tokenOut }) => tokenOut)];
    const args = [amountIn, minimum, path, recipient] as const;
    return encodeFunctionData({ abi, functionName: 'swapExactTokensForTokens', args });
  }
  const params = { path: packPath(stretch), recipient, amountIn, amountOutMinimum: minimum };
  return encodeFunctionData({ abi, functionName: 'exactInput', args: [params] });
}

/** token, fee, token, fee, …, token without padding (Path.sol). */
function packPath(stretch: readonly [Hop, ...Hop[]]): Hex {
  const links = stretch.flatMap(({ leg, tokenOut }) =>
    leg?.version === 3 ? [leg.fee, tokenOut] : [],
  );
  const types = stretch.flatMap(() => ['uint24', 'address']);
  return encodePacked(['address', ...types], [stretch[0].tokenIn, ...links]);
}
