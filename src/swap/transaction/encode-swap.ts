import type { Hex } from 'viem';
import { encodeFunctionData, encodePacked, parseAbi } from 'viem/utils';
import type { Router } from '../deployments/deployment.ts';
import { encodeExecutor } from '../executor/encode-executor.ts';
import type { Address } from '../model.ts';
import {
  type Hop,
  type Path,
  type SwapOrder,
  type TransactionCall,
  totalAmountIn,
} from '../swap-order.ts';
import { approveFunction } from '../tokens/token-abi.ts';

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
function encodeSwapRouter02(router: Address, order: SwapOrder): TransactionCall {
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
function encodeV2Router(router: Address, order: SwapOrder): TransactionCall {
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

const wrappedAbi = parseAbi(['function deposit() payable', 'function withdraw(uint256 amount)']);

/** Turns the native token into its wrapped form, one for one. */
export function encodeWrap(wrappedNative: Address, amount: bigint): TransactionCall {
  return {
    to: wrappedNative,
    data: encodeFunctionData({ abi: wrappedAbi, functionName: 'deposit' }),
    value: amount,
  };
}

/** Turns the wrapped form back into the native token, one for one. */
export function encodeUnwrap(wrappedNative: Address, amount: bigint): TransactionCall {
  const data = encodeFunctionData({ abi: wrappedAbi, functionName: 'withdraw', args: [amount] });
  return { to: wrappedNative, data, value: 0n };
}

type ApprovalNeed = {
  readonly token: Address;
  readonly spender: Address;
  readonly amount: bigint;
  /** What the spender may take already. */
  readonly allowance: bigint;
  /** Whether the token refuses to change one allowance into another, as USDT does. */
  readonly needsReset: boolean;
};

/** The calls to sign before the swap, in order; none when the allowance is enough. */
export function encodeApproval(need: ApprovalNeed): TransactionCall[] {
  const { token, spender, amount, allowance, needsReset } = need;
  if (allowance >= amount) return [];
  const approve = (value: bigint): TransactionCall => ({
    to: token,
    data: encodeFunctionData({ ...approveFunction, args: [spender, value] }),
    value: 0n,
  });
  return needsReset && allowance > 0n ? [approve(0n), approve(amount)] : [approve(amount)];
}
