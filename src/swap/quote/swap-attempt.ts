import { decodeFunctionResult, encodeFunctionData } from 'viem/utils';
import type { Address } from '../address.ts';
import type { CallOutcome, ChainReader } from '../chain/chain-reader.ts';
import type { ChainDeployment, Router } from '../deployments/deployment.ts';
import { codeHashesCall, readCodeHashes } from '../executor/code-hashes.ts';
import { executorBuilds } from '../executor/executor-builds.ts';
import { poolKindOf } from '../pools/pool-kinds.ts';
import type { SettledHop, SettledPath } from '../routing/settle/settle-walks.ts';
import { tokenAbi } from '../tokens/token-abi.ts';
import { encodeApproval } from '../transaction/encode-approval.ts';
import { encodeSwap } from '../transaction/encode-swap.ts';
import { type L1Cost, l1FeeCall, readL1Cost } from '../transaction/l1-fee.ts';
import type { Call, Hop, Path, SwapOrder } from '../transaction/swap-order.ts';
import {
  encodeTrial,
  readTrial,
  type TrialInput,
  type TrialResult,
} from '../transaction/swap-trial.ts';
import type { RoutedChoice } from './choose-route.ts';
import type { Market } from './market.ts';
import type { SwapSides } from './swap-sides.ts';

export type AttemptInput = {
  readonly deployment: ChainDeployment;
  readonly reader: Pick<ChainReader, 'call'>;
  readonly market: Market;
  readonly sides: SwapSides;
  readonly sender: Address;
  readonly recipient: Address;
  readonly fee: SwapOrder['fee'];
  readonly deadline: bigint;
  readonly choice: RoutedChoice;
  readonly signal: AbortSignal;
};

/** A route with what trying it showed, and everything needed to hand it out. */
export type SwapAttempt = {
  readonly choice: RoutedChoice;
  /** The order with no minimum yet. */
  readonly order: SwapOrder;
  readonly trial: TrialResult;
  /** False where the code of our executor was looked for and something else, or nothing, stands there. */
  readonly isRouterThere: boolean;
  readonly approval: readonly Call[];
  readonly l1Cost: L1Cost | undefined;
};

/**
 * Tries the transaction of a route at the market's block, and asks in the same round trip for the
 * allowance, for whether the token lets it be changed, and for the fee of the parent chain.
 */
export async function attemptSwap(input: AttemptInput): Promise<SwapAttempt> {
  const { deployment, reader, market, sides, sender, recipient, choice, signal } = input;
  const { router, route } = choice;
  const order: SwapOrder = {
    paths: toPaths(route.paths),
    tokenOut: sides.tokenOut,
    minAmountOut: 0n,
    sender,
    recipient,
    fee: input.fee,
    deadline: input.deadline,
    isNativeIn: sides.isNativeIn,
    isNativeOut: sides.isNativeOut,
  };
  const call = encodeSwap(router, order);
  const amount = route.amountIn;
  const trialInput: TrialInput = {
    call,
    sender,
    recipient,
    tokenIn: sides.isNativeIn ? undefined : { address: sides.tokenIn, storage: market.storage },
    amountIn: amount,
    tokenOut: sides.isNativeOut ? undefined : sides.tokenOut,
    // Each once, though several paths may pass it: what a pool writes once a block is paid once.
    pools: [...new Set(route.paths.flatMap(({ hops }) => hops.map(({ pool }) => pool)))].map(
      (pool) => {
        const { writesOnceABlock, gasOnceABlock = 0 } = poolKindOf(pool);
        return { address: pool.address, writesOnceABlock, gasOnceABlock };
      },
    ),
  };
  const allowanceCalls = sides.isNativeIn
    ? []
    : approvalReads(sides.tokenIn, { sender, spender: router.address, amount });
  const feeCalls = deployment.l1Fee ? [l1FeeCall(deployment.l1Fee, call)] : [];
  const codeCalls = router.kind === 'tradewind' ? [codeHashesCall([router.address])] : [];
  const [tried, ...others] = await reader.call(
    [encodeTrial(trialInput), ...feeCalls, ...codeCalls, ...allowanceCalls],
    { block: market.block, signal },
  );
  return {
    choice,
    order,
    trial: readTrial(tried, trialInput),
    isRouterThere: codeCalls.length === 0 || isExecutor(router, others[feeCalls.length]),
    l1Cost: deployment.l1Fee && readL1Cost(deployment.l1Fee, others[0]),
    approval: sides.isNativeIn
      ? []
      : readApproval(others.slice(feeCalls.length + codeCalls.length), {
          token: sides.tokenIn,
          spender: router.address,
          amount,
        }),
  };
}

/** A call to an address without code succeeds and does nothing: the code says more than the trial [Q23]. */
function isExecutor({ address }: Router, outcome: CallOutcome | undefined): boolean {
  const build = executorBuilds.find((one) => one.address === address);
  return build !== undefined && readCodeHashes(outcome)?.[0] === build.codeHash;
}

function toPaths(settled: readonly SettledPath[]): SwapOrder['paths'] {
  return nonEmpty(
    settled.map(({ hops, amountIn }): Path => ({ hops: nonEmpty(hops.map(toHop)), amountIn })),
  );
}

function toHop({ tokenIn, tokenOut, pool, zeroForOne }: SettledHop): Hop {
  const kind = poolKindOf(pool);
  return {
    tokenIn,
    tokenOut,
    pool: pool.address,
    leg: kind.uniswapLeg?.(pool),
    step: kind.encodeHop?.(pool, zeroForOne),
  };
}

/** A route has at least one path and a path at least one hop: that is what makes it one. */
function nonEmpty<T>([first, ...rest]: readonly T[]): readonly [T, ...T[]] {
  if (first === undefined) throw new RangeError('A route was settled without a path or a hop');
  return [first, ...rest];
}

type ApprovalTerms = { readonly spender: Address; readonly amount: bigint };

function approvalReads(
  token: Address,
  { sender, spender, amount }: ApprovalTerms & { sender: Address },
) {
  const read = { abi: tokenAbi, functionName: 'allowance', args: [sender, spender] } as const;
  const change = { abi: tokenAbi, functionName: 'approve', args: [spender, amount] } as const;
  return [
    { to: token, data: encodeFunctionData(read) },
    { from: sender, to: token, data: encodeFunctionData(change) },
  ];
}

function readApproval(
  [allowance, change]: readonly CallOutcome[],
  terms: ApprovalTerms & { token: Address },
): Call[] {
  const known =
    allowance?.status === 'returned' && allowance.data.length >= 66
      ? decodeFunctionResult({ abi: tokenAbi, functionName: 'allowance', data: allowance.data })
      : 0n;
  return encodeApproval({ ...terms, allowance: known, needsReset: change?.status === 'failed' });
}
