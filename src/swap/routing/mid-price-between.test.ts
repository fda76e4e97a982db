import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../tests/support/property-runs.ts';
import { arbitraryPools, pair, token } from '../../../tests/support/routing-pools.ts';
import type { PoolState } from '../pools/pool.ts';
import { priceImpact } from '../quote/present-quote.ts';
import { ratio } from '../quote/swap-price.ts';
import { findRoute } from './find-route.ts';
import { prepareGraph } from './graph/routing-graph.ts';
import { midPriceBetween } from './mid-price-between.ts';

const ends = { tokenIn: token(1), tokenOut: token(2) };
const whole = 10n ** 21n;

/** The impact of each amount for which the route takes all of it. */
function impactsOf(pools: readonly PoolState[], amounts: readonly bigint[]): number[] {
  const graph = prepareGraph(pools);
  const mid = midPriceBetween(graph, ends);
  return amounts.flatMap((amountIn) => {
    const route = findRoute(graph, { ...ends, amountIn });
    if (route.kind === 'no-route' || route.isPartial || mid === undefined) return [];
    // Below this, rounding by one unit exceeds what the search may miss.
    const hops = route.paths.flatMap((path) => path.hops);
    if (hops.some(({ amountOut }) => amountOut < 10n ** 8n)) return [];
    return [priceImpact(ratio(route.amountOut, route.amountIn), mid)];
  });
}

describe('midPriceBetween', () => {
  it('gives a price impact that never falls as the amount grows [Q30]', () => {
    const amounts = Array.from({ length: 8 }, (_, power) => 10n ** BigInt(12 + power));
    fc.assert(
      fc.property(arbitraryPools(4, 8), (pools) => {
        const impacts = impactsOf(pools, amounts);
        for (const [index, impact] of impacts.slice(1).entries()) {
          // The search is within a hundredth of a basis point of the best.
          expect(impact).toBeGreaterThanOrEqual((impacts[index] ?? 0) - 1e-6);
        }
      }),
      { ...propertyRuns, numRuns: Math.ceil(propertyRuns.numRuns / 40), endOnFailure: true },
    );
  });

  it('is the price of the best route for an infinitesimal amount, without fees [Q30]', () => {
    const dear = pair([1, 2], [whole, 2n * whole], { id: 1 });
    const [there, back] = [
      pair([1, 3], [whole, 3n * whole], { id: 2 }),
      pair([2, 3], [whole, whole], { id: 3 }),
    ];
    expect(midPriceBetween(prepareGraph([dear, there, back]), ends)).toBeCloseTo(3, 12);
    expect(midPriceBetween(prepareGraph([dear]), ends)).toBeCloseTo(2, 12);
    expect(midPriceBetween(prepareGraph([there]), ends)).toBeUndefined();
  });

  it('is not the price of a dust pool, whatever that is', () => {
    const deep = pair([1, 2], [whole, 2n * whole], { id: 1 });
    const dust = pair([1, 2], [1_000n, 900_000n], { id: 2 });
    expect(midPriceBetween(prepareGraph([dust, deep]), ends)).toBeCloseTo(2, 12);
  });

  it('is the price of a dust pool where no other pool leads to the token [Q4]', () => {
    const elsewhere = pair([1, 3], [whole, whole], { id: 1 });
    const dust = pair([1, 2], [10n ** 13n, 2n * 10n ** 13n], { id: 2 });
    expect(midPriceBetween(prepareGraph([elsewhere, dust]), ends)).toBeCloseTo(2, 12);
  });
});
