import type { Clock } from '../../kernel/wait/clock.ts';
import { describeEnds } from './answer/describe-ends.ts';
import { presentPrice } from './answer/present-quote.ts';
import { findSwap } from './find-swap.ts';
import { feeOf } from './integrator-fee.ts';
import type { Price, PriceRequest } from './quote.ts';
import type { QuoteChain } from './quote-chain.ts';
import { priceWrapping } from './quote-wrapping.ts';

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
  const found = await findSwap(request, {
    chain,
    clock,
    signal,
    read(sides, further) {
      const { market, ...more } = further ?? {};
      const again = market && { at: market.block, ...more };
      return chain.readMarket({ sides, isFresh: false, mostAgeMs, signal, ...again });
    },
  });
  if (found.kind === 'wrapping') return priceWrapping(request, { ...found, chain });
  const ends = describeEnds(request, { ...found, chain });
  if (found.kind === 'no-route') return { status: 'NoRoute', ...ends, reason: found.reason };
  const { amountOut } = found.choice.route;
  const feeAmount = feeOf(amountOut, request.fee);
  return presentPrice({ ...found, request, expected: amountOut - feeAmount, feeAmount, ends });
}
