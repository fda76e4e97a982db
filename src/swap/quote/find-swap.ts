import type { Clock } from '../../kernel/wait/clock.ts';
import type { ChainDeployment } from '../deployments/deployment.ts';
import type { PoolId, TickReach } from '../pools/pool.ts';
import {
  checkExchanges,
  type Market,
  type MarketOptions,
  narrowDeployment,
  narrowMarket,
} from './market/market.ts';
import type { PriceRequest } from './quote.ts';
import type { QuoteChain } from './quote-chain.ts';
import type { RoutedChoice, RouteSearch } from './search/choose-route.ts';
import { amountInFor } from './search/find-amount-in.ts';
import { readUnseen, searchDeepEnough } from './search/search-deep-enough.ts';
import { ratio } from './swap-price.ts';
import { type SwapSides, swapSides } from './swap-sides.ts';

/** The market of a request, with the exchanges that it allows, and what is to be done there. */
type FoundSwap = { readonly sides: SwapSides; readonly market: Market } & (
  | { readonly kind: 'route'; readonly choice: RoutedChoice; readonly search: RouteSearch }
  /** Between the native token and its wrapped one, which needs no pool. */
  | { readonly kind: 'wrapping' }
  | { readonly kind: 'no-route'; readonly reason: string }
);

type FindSwapOptions = {
  readonly chain: QuoteChain;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Reads the market of two tokens. Called again with that market if more of it must be read. */
  read(sides: SwapSides, further?: FurtherReading): Promise<Market>;
};

/** What to read beside what a market holds, at its block. */
export type FurtherReading = { readonly market: Market } & Pick<
  MarketOptions,
  'reaches' | 'looksFurther'
>;

/**
 * Reads the market and finds the best route in it: the part of a quote that a price shares. If pools that were not read could
 * add much, the further tokens of the chain are read and searched, too [Q50]. Throws `INVALID_PARAMS`.
 */
export async function findSwap(
  request: PriceRequest,
  options: FindSwapOptions,
): Promise<FoundSwap> {
  const { chain, read } = options;
  checkExchanges(chain.deployment, request);
  const sides = swapSides(chain.deployment, request);
  const whole = await read(sides);
  // The executor may have been found meanwhile.
  const deployment = narrowDeployment(chain.deployment, request);
  const narrow = { whole: chain.deployment, narrowed: deployment };
  const market = narrowMarket(whole, narrow);
  if (sides.tokenIn === sides.tokenOut) return { kind: 'wrapping', sides, market };
  const near = await findRouted(request, { ...options, sides, market, narrow });
  const choice = near.kind === 'route' ? near.choice : undefined;
  if (!chain.deployment.furtherTokens?.length || unreadShare(choice) < worthReading) return near;
  const further = await read(sides, { market, looksFurther: true });
  const wide = { sides, market: narrowMarket(further, narrow), narrow, looksFurther: true };
  return findRouted(request, { ...options, ...wide });
}

/** If unread pools could add less than this part, they are not read: as much as the fee of a usual pool and a little more. */
const worthReading = 0.01;

/** The best route in a market of which more may be read. */
async function findRouted(
  request: PriceRequest,
  options: FindSwapOptions & {
    readonly sides: SwapSides;
    readonly market: Market;
    readonly narrow: Parameters<typeof narrowMarket>[1];
    readonly looksFurther?: boolean;
  },
): Promise<Exclude<FoundSwap, { kind: 'wrapping' }>> {
  const { chain, clock, signal, read, sides, narrow, looksFurther } = options;
  const { tokenIn, tokenOut } = sides;
  const { gasPrice = options.market.block.gasPrice } = request;
  const readAgain = async (reaches: ReadonlyMap<PoolId, TickReach>) =>
    narrowMarket(await read(sides, { market: options.market, reaches, looksFurther }), narrow);
  const market = await readUnseen(options.market, { readAgain });
  const base = { deployment: narrow.narrowed, market, tokenIn, tokenOut, gasPrice };
  const amountIn = await amountInFor(request, base, { chain, clock, signal });
  if (amountIn === undefined) {
    return { kind: 'no-route', sides, market, reason: explainNoRoute(chain.deployment, request) };
  }
  const { choice, ...search } = await searchDeepEnough(
    { ...base, amountIn },
    { chain, signal, readAgain },
  );
  if (choice === undefined) {
    return { kind: 'no-route', sides, market, reason: explainNoRoute(chain.deployment, {}) };
  }
  return { kind: 'route', sides, market: search.market, choice: asAsked(request, choice), search };
}

/** A route for a requested output is whole, whatever part it takes of the input that was searched for. */
function asAsked({ amountOut }: PriceRequest, choice: RoutedChoice): RoutedChoice {
  if (amountOut === undefined || choice.route.amountOut < amountOut) return choice;
  return { ...choice, route: { ...choice.route, isPartial: false } };
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

/**
 * The part of the best output that pools could hold which were not read, if none of them has a better price than all that were
 * read: what the trade loses against the mid price [Q50]. All of it where there is no whole route.
 */
export function unreadShare(choice: Pick<RoutedChoice, 'route' | 'midPrice'> | undefined): number {
  if (choice === undefined || choice.route.isPartial) return 1;
  const { route, midPrice } = choice;
  return Math.max(0, 1 - ratio(route.amountOut, route.amountIn) / midPrice);
}
