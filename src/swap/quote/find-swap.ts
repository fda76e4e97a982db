import type { Clock } from '../../kernel/time/clock.ts';
import type { ChainDeployment } from '../deployments/deployment.ts';
import type { PoolId, TickReach } from '../pools/pool.ts';
import type { Market } from './market/market.ts';
import { checkExchanges, narrowDeployment, narrowMarket } from './market/narrow-market.ts';
import type { PriceRequest } from './quote.ts';
import type { QuoteChain } from './quote-chain.ts';
import type { RoutedChoice, RouteSearch } from './search/choose-route.ts';
import { amountInFor } from './search/find-amount-in.ts';
import { searchDeepEnough } from './search/search-deep-enough.ts';
import { type SwapSides, swapSides } from './swap-sides.ts';

/** The market of a request, with the exchanges that it allows, and what is to be done there. */
export type FoundSwap = { readonly sides: SwapSides; readonly market: Market } & (
  | { readonly kind: 'route'; readonly choice: RoutedChoice; readonly search: RouteSearch }
  /** Between the native token and its wrapped one, which needs no pool. */
  | { readonly kind: 'wrapping' }
  | { readonly kind: 'no-route'; readonly reason: string }
);

export type FindSwapOptions = {
  readonly chain: QuoteChain;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Reads the market of two tokens. Called again with that market if some of its pools must be read further. */
  read(
    sides: SwapSides,
    further?: { readonly market: Market; readonly reaches: ReadonlyMap<PoolId, TickReach> },
  ): Promise<Market>;
};

/** Reads the market and finds the best route in it: the part of a quote that a price shares. Throws `INVALID_PARAMS`. */
export async function findSwap(
  request: PriceRequest,
  { chain, clock, signal, read }: FindSwapOptions,
): Promise<FoundSwap> {
  checkExchanges(chain.deployment, request);
  const sides = swapSides(chain.deployment, request);
  const whole = await read(sides);
  // The executor may have been found meanwhile.
  const deployment = narrowDeployment(chain.deployment, request);
  const narrow = { whole: chain.deployment, narrowed: deployment };
  const market = narrowMarket(whole, narrow);
  const { tokenIn, tokenOut } = sides;
  if (tokenIn === tokenOut) return { kind: 'wrapping', sides, market };
  const { gasPrice = market.block.gasPrice } = request;
  const base = { deployment, market, tokenIn, tokenOut, gasPrice };
  const amountIn = await amountInFor(request, base, { chain, clock, signal });
  if (amountIn === undefined) {
    return { kind: 'no-route', sides, market, reason: explainNoRoute(chain.deployment, request) };
  }
  const { choice, ...search } = await searchDeepEnough(
    { ...base, amountIn },
    {
      chain,
      signal,
      readAgain: async (reaches) => narrowMarket(await read(sides, { market, reaches }), narrow),
    },
  );
  return choice === undefined
    ? { kind: 'no-route', sides, market, reason: explainNoRoute(chain.deployment, {}) }
    : { kind: 'route', sides, market: search.market, choice, search };
}

/** Why there is no route from one token to the other, or none that gives the output that was asked for. */
export function explainNoRoute(
  { chainId, routers }: ChainDeployment,
  { amountOut }: Pick<PriceRequest, 'amountOut'>,
): string {
  if (routers.length === 0) {
    return `No router on this chain trades on its exchanges yet: deploy our executor with "tradewind router deploy --chain ${chainId}".`;
  }
  return amountOut === undefined
    ? 'No pool connects the two tokens, or none gives an output for this amount: try a larger amount, other exchanges or another token.'
    : 'The pools between the two tokens cannot give amountOut.';
}
