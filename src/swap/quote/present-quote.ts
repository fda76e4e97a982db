import type { Hex } from 'viem';
import { type Address, SwapError, type TokenMetadata } from '../model.ts';
import { type Permit, type PermitTerms, writePermit2, writeTokenPermit } from '../permit.ts';
import type { PoolId, PoolState } from '../pools/pool.ts';
import { poolKindOf } from '../pools/pool-kinds.ts';
import type { Route } from '../routing/find-route.ts';
import { encodeSwap } from '../transaction/encode-swap.ts';
import { gasLimit } from '../transaction/transaction-costs.ts';
import { unreadShare } from './find-swap.ts';
import type { Market } from './market/market.ts';
import type {
  Optimality,
  PriceRequest,
  QuoteRequest,
  RoutedPrice,
  RoutedQuote,
  RouteLeg,
  Slippage,
  UnroutedQuote,
} from './quote.ts';
import type { QuoteChain } from './quote-chain.ts';
import type { RoutedChoice } from './search/choose-route.ts';
import { reckonCallGas } from './search/gas-model.ts';
import { type SwapAttempt, withSignature } from './swap-attempt.ts';
import { feeBeside, feeOf, ratio, swapPrice } from './swap-price.ts';
import { isNative, nativeTokenMetadata, type SwapSides } from './swap-sides.ts';

type RouteAtMarket = {
  readonly market: Market;
  readonly sides: SwapSides;
  readonly choice: Pick<RoutedChoice, 'route' | 'midPrice'>;
  /** What the recipient gets by the route: as settled, or as a trial received it. */
  readonly expected: bigint;
  /** What is taken off for an integrator; zero where nothing is. */
  readonly feeAmount: bigint;
  readonly ends: Omit<UnroutedQuote, 'status' | 'reason'>;
  readonly request: PriceRequest;
};

type Presentation = Pick<RouteAtMarket, 'market' | 'sides' | 'ends'> & {
  readonly request: QuoteRequest;
  readonly attempt: SwapAttempt;
};

/** Puts a tried route into the form of an answer. What the trial received is the expected output [Q17]. */
export function presentQuote({ request, market, sides, attempt, ends }: Presentation): RoutedQuote {
  const { choice, order, trial, approval, l1Cost } = attempt;
  const { route, router } = choice;
  const settledFee = feeOf(route.amountOut, request.fee);
  const settled = route.amountOut - settledFee;
  const expected = trial.outcome === 'succeeded' ? trial.received : settled;
  // A token that taxes transfers taxes that of the fee too, by the same part [F72].
  const feeAmount = expected === settled ? settledFee : feeBeside(expected, request.fee);
  // Routers hold pools that pay the recipient to what these paid by their own account [F71].
  const most = expected < settled ? expected : settled;
  const minimum = request.amountOut ?? minAmountOut(most, request.maxSlippage);
  const call = encodeSwap(router, { ...order, minAmountOut: minimum });
  const permit = presentPermit(attempt, {
    chainId: request.chainId,
    token: sides.tokenIn,
    program: call.data,
  });
  const callGas = trial.outcome === 'succeeded' ? trial.callGas : reckonCallGas(route.paths, sides);
  const from = request.sender;
  const sent = permit ? withSignature(call.data) : call.data;
  return {
    ...presentPrice({ request, market, sides, choice, expected, feeAmount, ends }),
    minAmountOut: minimum,
    tx: {
      from,
      ...call,
      gas: gasLimit(sent, callGas + gasOfPermit(attempt)) + (l1Cost?.gas ?? 0n),
      gasPrice: market.block.gasPrice,
      ...(l1Cost ? { l1Fee: l1Cost.fee } : {}),
    },
    approval: approval.map((step) => ({ from, ...step })),
    ...(permit ? { permit } : {}),
    ...(trial.outcome === 'untried' ? { issues: { simulationIncomplete: true } } : {}),
    validUntil: Number(order.deadline) * 1_000,
  };
}

/** Puts a route into the form of an answer, with what it gives. */
export function presentPrice(settled: RouteAtMarket): RoutedPrice {
  const { request, market, choice, expected, feeAmount, ends } = settled;
  const { route, midPrice } = choice;
  return {
    status: route.isPartial ? 'Partial' : 'Successful',
    ...ends,
    swapPrice: swapPrice(
      { amount: route.amountIn, decimals: ends.tokenFrom.decimals },
      { amount: expected, decimals: ends.tokenTo.decimals },
    ),
    priceImpact: priceImpact(ratio(expected, route.amountIn), midPrice),
    amountIn: route.amountIn,
    ...(request.amountOut === undefined ? {} : { maxAmountIn: route.amountIn }),
    expectedAmountOut: expected,
    ...(feeAmount > 0n ? { feeAmount } : {}),
    tokens: tokensOf(settled),
    route: legsOf(route, market),
    optimality: optimalityOf(choice, market),
  };
}

function optimalityOf(choice: RouteAtMarket['choice'], { pools }: Market): Optimality {
  const { optimality, gasCost, isCutShort } = choice.route;
  const { upperBound, gapBps, openEnds } = optimality;
  return {
    upperBound,
    gapBps,
    pools: pools.length,
    poolsCutOff: openEnds.length,
    unreadBps: unreadShare(choice) * 10_000,
    isCutShort,
    gasCost,
  };
}

/** The exchange of each pool, for the pools of each market: found once, since many quotes of a block share them [Q31]. */
const knownExchanges = new WeakMap<Market['pools'], ReadonlyMap<PoolId, string>>();

function exchangesOf(pools: Market['pools']): ReadonlyMap<PoolId, string> {
  const exchanges =
    knownExchanges.get(pools) ?? new Map(pools.map(({ pool }) => [pool.id, pool.exchange]));
  knownExchanges.set(pools, exchanges);
  return exchanges;
}

function legsOf(route: Route, { pools }: Market): RouteLeg[] {
  const exchangeOf = exchangesOf(pools);
  return route.paths.flatMap((path, number) => {
    const share = ratio(path.amountIn, route.amountIn);
    return path.hops.map((hop) => ({
      path: number,
      pool: hop.pool.address,
      ...publicIdOf(hop.pool),
      exchange: exchangeOf.get(hop.pool.id) ?? '',
      tokenIn: hop.tokenIn,
      tokenOut: hop.tokenOut,
      share,
      amountIn: hop.amountIn,
      amountOut: hop.amountOut,
    }));
  });
}

function publicIdOf(pool: PoolState): Pick<RouteLeg, 'poolId'> {
  const poolId = poolKindOf(pool).publicId?.(pool);
  return poolId === undefined ? {} : { poolId };
}

/** Every token of the route, with the ends as the caller named them. */
function tokensOf({ market, sides, choice, ends }: RouteAtMarket): TokenMetadata[] {
  const { tokenIn, tokenOut } = sides;
  const passed = choice.route.paths.flatMap(({ hops }) => hops.map((hop) => hop.tokenOut));
  const between = [...new Set(passed)].filter((token) => token !== tokenIn && token !== tokenOut);
  const info = (token: Address) => market.tokens.get(token) ?? [];
  return [ends.tokenFrom, ...between.flatMap(info), ends.tokenTo];
}

/** What every answer says about its two tokens, its block and the chain's endpoints. Throws `INVALID_PARAMS`. */
export function describeEnds(
  { tokenIn, tokenOut }: Pick<PriceRequest, 'tokenIn' | 'tokenOut'>,
  { chain, market, sides }: { chain: QuoteChain; market: Market; sides: SwapSides },
): Omit<UnroutedQuote, 'status' | 'reason'> {
  const native = nativeTokenMetadata(chain.deployment);
  return {
    tokenFrom: isNative(tokenIn) ? native : tokenOf(market, sides.tokenIn),
    tokenTo: isNative(tokenOut) ? native : tokenOf(market, sides.tokenOut),
    blockNumber: market.block.number,
    rpcUrls: chain.rpcUrls(),
  };
}

function tokenOf(market: Market, address: SwapSides['tokenIn']) {
  const token = market.tokens.get(address);
  if (token !== undefined) return token;
  throw new SwapError(
    'INVALID_PARAMS',
    `${address} is not a token on this chain: no contract there answers decimals().`,
    { details: { token: address } },
  );
}

/**
 * What the sender of a tried route must sign, if a signature replaces the approval; `program` is the data of its
 * transaction.
 */
function presentPermit(
  { permit, order, choice }: SwapAttempt,
  { chainId, token, program }: { chainId: number; token: Address; program: Hex },
): Permit | undefined {
  if (permit === undefined) return undefined;
  const terms: PermitTerms = {
    chainId,
    token,
    owner: order.sender,
    spender: choice.router.address,
    amount: choice.route.amountIn,
    deadline: order.deadline,
  };
  const { plan, nonce } = permit;
  if (plan.kind === 'permit2') return writePermit2(terms, program);
  if (nonce === undefined) {
    throw new SwapError(
      'UPSTREAM_ERROR',
      `${token} did not return the nonce for a permit; try again.`,
    );
  }
  return writeTokenPermit(terms, { domain: plan.domain, nonce });
}

/**
 * The gas of a permit that the trial does not measure. In the trial the token refuses the placeholder signature, and a
 * state override sets the allowance. On the chain the token writes an allowance, which the swap uses up, and the next
 * nonce, of which the first costs more. In the trial Permit2 asks the sender's account, which has code there, instead of
 * recovering the signer.
 */
function gasOfPermit({ permit }: SwapAttempt): bigint {
  if (permit === undefined) return 0n;
  if (permit.plan.kind === 'permit2') return 3_500n;
  return permit.nonce === 0n ? 42_000n : 25_000n;
}

/** The floor of `expectedAmountOut × (1 − maxSlippage)`, exactly as the slippage was written [Q5]. */
export function minAmountOut(
  expectedAmountOut: bigint,
  { numerator, denominator }: Slippage,
): bigint {
  return (expectedAmountOut * (denominator - numerator)) / denominator;
}

/**
 * One minus execution price over mid price [Q4, Q30]: positive when the sender gets less than the mid price, fees
 * included. The mid price is that of the best route for a vanishing amount, whatever the amount of the trade, so that the
 * impact never falls as the amount grows. Zero for a trade so small that dust pools, which set no mid price, give it a
 * better one. Both prices are in smallest units.
 */
export function priceImpact(executionPrice: number, midPrice: number): number {
  return Math.max(0, 1 - executionPrice / midPrice);
}
