import type { Clock } from '../../kernel/time/clock.ts';
import { describeEnds } from './answer/describe-ends.ts';
import { presentPrice } from './answer/present-quote.ts';
import { feeOf } from './integrator-fee.ts';
import { checkExchanges, narrowDeployment, narrowMarket } from './market/narrow-market.ts';
import type { Price, PriceRequest } from './quote.ts';
import type { QuoteChain } from './quote-chain.ts';
import { explainNoRoute } from './quote-swap.ts';
import { priceWrapping } from './quote-wrapping.ts';
import { amountInFor } from './search/find-amount-in.ts';
import { searchDeepEnough } from './search/search-deep-enough.ts';
import { swapSides } from './swap-sides.ts';

/** How long ago the block of a price may have been confirmed as the newest, in milliseconds. */
const mostAgeMs = 3_000;

/**
 * What a swap would give, computed as a quote is, but without a trial. It takes no sender, and sends nothing
 * to the chain if the pools are in memory. A token that taxes transfers gives less than this price says
 * [Q29].
 */
export async function priceSwap(
  request: PriceRequest,
  {
    chain,
    clock,
    signal,
  }: { readonly chain: QuoteChain; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Price> {
  checkExchanges(chain.deployment, request);
  const sides = swapSides(chain.deployment, request);
  const read = (more: Partial<Parameters<QuoteChain['readMarket']>[0]>) =>
    chain.readMarket({ sides, isFresh: false, mostAgeMs, signal, ...more });
  const wholeMarket = await read({});
  const deployment = narrowDeployment(chain.deployment, request);
  const narrow = { whole: chain.deployment, narrowed: deployment };
  const first = narrowMarket(wholeMarket, narrow);
  if (sides.tokenIn === sides.tokenOut) {
    return priceWrapping(request, { chain, market: first, sides });
  }
  const { tokenIn, tokenOut } = sides;
  const { gasPrice = first.block.gasPrice } = request;
  const base = { deployment, market: first, tokenIn, tokenOut, gasPrice };
  const amountIn = await amountInFor(request, base, { chain, clock, signal });
  if (amountIn === undefined) {
    const reason = explainNoRoute(chain.deployment, request);
    return { status: 'NoRoute', ...describeEnds(request, { chain, market: first, sides }), reason };
  }
  const { market, choice } = await searchDeepEnough(
    { ...base, amountIn },
    {
      chain,
      signal,
      readAgain: async (reaches) => narrowMarket(await read({ at: first.block, reaches }), narrow),
    },
  );
  const ends = describeEnds(request, { chain, market, sides });
  if (choice === undefined)
    return { status: 'NoRoute', ...ends, reason: explainNoRoute(chain.deployment, {}) };
  const { route } = choice;
  const feeAmount = feeOf(route.amountOut, request.fee);
  const expected = route.amountOut - feeAmount;
  return presentPrice({ request, market, sides, choice, expected, feeAmount, ends });
}
