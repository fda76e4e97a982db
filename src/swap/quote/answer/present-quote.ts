import type { Address, TokenMetadata } from '../../model.ts';
import type { PoolId } from '../../pools/pool.ts';
import { poolKindOf } from '../../pools/pool-kinds.ts';
import type { PoolState } from '../../pools/pool-state.ts';
import type { Route } from '../../routing/find-route.ts';
import { encodeSwap } from '../../transaction/encode-swap.ts';
import { gasLimit } from '../../transaction/gas-limit.ts';
import { feeBeside, feeOf } from '../integrator-fee.ts';
import type { Market } from '../market/market.ts';
import type {
  Optimality,
  PriceRequest,
  QuoteRequest,
  RoutedPrice,
  RoutedQuote,
  RouteLeg,
  UnroutedQuote,
} from '../quote.ts';
import type { RoutedChoice } from '../search/choose-route.ts';
import { reckonCallGas } from '../search/gas-model.ts';
import { type SwapAttempt, withSignature } from '../swap-attempt.ts';
import { ratio, swapPrice } from '../swap-price.ts';
import type { SwapSides } from '../swap-sides.ts';
import { unreadShare } from '../unread-share.ts';
import { minAmountOut } from './min-amount-out.ts';
import { gasOfPermit, presentPermit } from './present-permit.ts';
import { priceImpact } from './price-impact.ts';

export type RouteAtMarket = {
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

export type Presentation = Pick<RouteAtMarket, 'market' | 'sides' | 'ends'> & {
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
