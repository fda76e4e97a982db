import type { Hex } from 'viem';
import { concat, decodeFunctionResult, encodeFunctionData } from 'viem/utils';
import {
  type Block,
  type CallOutcome,
  type ChainReader,
  decodeOnce,
} from '../chain/chain-reader.ts';
import { codeHashesCall, readCodeHashes } from '../chain/packed-calls.ts';
import type { ChainDeployment, Router } from '../deployments/deployment.ts';
import { executorBuilds } from '../executor/executor-builds.ts';
import type { Address } from '../model.ts';
import { type PermitPlan, permit2Address, signatureBytes } from '../permit.ts';
import { poolKindOf } from '../pools/pool-kinds.ts';
import type { SettledHop, SettledPath } from '../routing/settle-plan.ts';
import type { Hop, Path, SwapOrder, TransactionCall } from '../swap-order.ts';
import { allowanceFunction, approveFunction, tokenAbi } from '../tokens/token-abi.ts';
import { encodeApproval, encodeSwap } from '../transaction/encode-swap.ts';
import { noncesCall, readNonce } from '../transaction/permit-finder.ts';
import {
  encodeTrial,
  readTrial,
  type TrialInput,
  type TrialResult,
} from '../transaction/swap-trial.ts';
import { type L1Cost, l1FeeCall, readL1Cost } from '../transaction/transaction-costs.ts';
import type { Market } from './market/market.ts';
import type { RoutedChoice } from './search/choose-route.ts';
import { feeOf } from './swap-price.ts';
import type { SwapSides } from './swap-sides.ts';

export type AttemptInput = {
  readonly deployment: ChainDeployment;
  readonly reader: Pick<ChainReader, 'call' | 'callWithHead'>;
  readonly market: Market;
  readonly sides: SwapSides;
  readonly sender: Address;
  readonly recipient: Address;
  readonly fee: SwapOrder['fee'];
  /** Used where our executor executes the route. */
  readonly permit: PermitPlan | undefined;
  readonly deadline: bigint;
  readonly choice: RoutedChoice;
  /** Whether the same request also asks for the newest block, because the market's may be outdated. */
  readonly asksHead?: boolean;
  readonly signal: AbortSignal;
};

/** A route with what trying it showed, and everything needed to hand it out. */
export type SwapAttempt = {
  readonly choice: RoutedChoice;
  /** The order with no minimum yet. */
  readonly order: SwapOrder;
  readonly trial: TrialResult;
  /** False if the executor's code was expected at the router's address, and other code or none is there. */
  readonly isRouterThere: boolean;
  readonly approval: readonly TransactionCall[];
  /** How the sender allows the input by a signature, and for EIP-2612 the nonce of that permit. */
  readonly permit: { readonly plan: PermitPlan; readonly nonce: bigint | undefined } | undefined;
  readonly l1Cost: L1Cost | undefined;
  /** The newest block at the time of the trial, if it was asked for. */
  readonly head: Block | undefined;
};

/**
 * Tries the transaction of a route at the market's block, and asks in the same round trip for the
 * allowance, for whether the token lets it be changed, and for the fee of the parent chain.
 */
export async function attemptSwap(input: AttemptInput): Promise<SwapAttempt> {
  const { deployment, reader, market, sides, sender, recipient, choice, signal } = input;
  const { router, route } = choice;
  const permit = router.kind === 'tradewind' ? input.permit : undefined;
  const order: SwapOrder = {
    paths: toPaths(route.paths),
    tokenOut: sides.tokenOut,
    minAmountOut: 0n,
    sender,
    recipient,
    fee: input.fee,
    permit: permit?.kind,
    deadline: input.deadline,
    isNativeIn: sides.isNativeIn,
    isNativeOut: sides.isNativeOut,
  };
  const program = encodeSwap(router, order);
  const call = permit ? { ...program, data: withSignature(program.data) } : program;
  const spender = permit?.kind === 'permit2' ? permit2Address : router.address;
  const amount = route.amountIn;
  const trialInput: TrialInput = {
    call,
    sender,
    recipient,
    tokenIn: sides.isNativeIn ? undefined : { address: sides.tokenIn, storage: market.storage },
    amountIn: amount,
    spender,
    tokenOut: sides.isNativeOut ? undefined : sides.tokenOut,
    // Each once, though several paths may pass it: what a pool writes once a block is paid once.
    pools: [...new Set(route.paths.flatMap(({ hops }) => hops.map(({ pool }) => pool)))].map(
      (pool) => ({
        address: pool.address,
        writesOnceABlock: poolKindOf(pool).writesOnceABlock,
      }),
    ),
  };
  const allowanceCalls = sides.isNativeIn
    ? []
    : permit?.kind === 'eip2612'
      ? [noncesCall(sides.tokenIn, sender)]
      : approvalReads(sides.tokenIn, { sender, spender, amount });
  const feeCalls = deployment.l1Fee ? [l1FeeCall(deployment.l1Fee, call)] : [];
  const codeCalls = router.kind === 'tradewind' ? [codeHashesCall([router.address])] : [];
  const calls = [encodeTrial(trialInput), ...feeCalls, ...codeCalls, ...allowanceCalls];
  const { check, decoded } = decodeOnce(([tried, ...others]) => {
    const [allowed, changed] = others.slice(feeCalls.length + codeCalls.length);
    return {
      trial: withoutOwnFee(readTrial(tried, trialInput), input),
      isRouterThere: codeCalls.length === 0 || isExecutor(router, others[feeCalls.length]),
      l1Cost: deployment.l1Fee && readL1Cost(deployment.l1Fee, others[0]),
      permit: permit && { plan: permit, nonce: readNonce(allowed) },
      approval:
        sides.isNativeIn || permit?.kind === 'eip2612'
          ? []
          : readApproval([allowed, changed], { token: sides.tokenIn, spender, amount }),
    };
  });
  const at = { block: market.block, signal, check };
  const { outcomes, head } = input.asksHead
    ? await reader.callWithHead(calls, at)
    : { outcomes: await reader.call(calls, at), head: undefined };
  return { choice, order, head, ...decoded(outcomes) };
}

/**
 * The trial with what the recipient receives beside a fee that goes to the same account, since no minimum counts that fee [F65].
 * Where a token taxed the output, it rounded twice: a unit less for either transfer.
 */
function withoutOwnFee(
  trial: TrialResult,
  { fee, recipient, choice }: Pick<AttemptInput, 'fee' | 'recipient' | 'choice'>,
): TrialResult {
  if (trial.outcome !== 'succeeded' || fee?.recipient !== recipient) return trial;
  const { received: arrived } = trial;
  const rounded = arrived === choice.route.amountOut ? 0n : 2n;
  const rest = arrived - feeOf(arrived, fee.billionths) - rounded;
  return { ...trial, received: rest > 0n ? rest : 0n };
}

/** The data of a transaction with placeholder bytes for the signature that the sender has yet to make. */
export function withSignature(data: Hex): Hex {
  return concat([data, `0x${'1b'.repeat(signatureBytes)}`]);
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
    runsForeignCode: kind.runsForeignCode(pool),
  };
}

/** A route has at least one path and a path at least one hop: that is what makes it one. */
function nonEmpty<T>([first, ...rest]: readonly T[]): readonly [T, ...T[]] {
  if (first === undefined) throw new RangeError('A route was settled without a path or a hop');
  return [first, ...rest];
}

const maxUint256 = 2n ** 256n - 1n;

type ApprovalTerms = { readonly spender: Address; readonly amount: bigint };

function approvalReads(
  token: Address,
  { sender, spender, amount }: ApprovalTerms & { sender: Address },
) {
  const read = encodeFunctionData({ ...allowanceFunction, args: [sender, spender] });
  const change = encodeFunctionData({ ...approveFunction, args: [spender, amount] });
  return [
    { to: token, data: read },
    { from: sender, to: token, data: change },
  ];
}

function readApproval(
  [allowance, change]: readonly (CallOutcome | undefined)[],
  terms: ApprovalTerms & { token: Address },
): TransactionCall[] {
  const known =
    allowance?.status === 'returned' && allowance.data.length >= 66
      ? decodeFunctionResult({ abi: tokenAbi, functionName: 'allowance', data: allowance.data })
      : 0n;
  // Permit2 moves nothing without a signature of its own: it is allowed once, for all trades to come.
  const isForAll = terms.spender === permit2Address && known < terms.amount;
  const amount = isForAll ? maxUint256 : terms.amount;
  const needsReset = change?.status === 'failed';
  return encodeApproval({ ...terms, amount, allowance: known, needsReset });
}
