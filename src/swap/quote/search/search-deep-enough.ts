import type { PoolId, TickReach } from '../../pools/pool.ts';
import { poolKindOf } from '../../pools/pool-kinds.ts';
import type { PoolState } from '../../pools/pool-state.ts';
import { simulateSwap } from '../../pools/simulate-swap.ts';
import type { Market } from '../market/market.ts';
import type { RoutedChoice, RouteSearch } from './choose-route.ts';
import type { RouteChooser } from './create-route-chooser.ts';

export type DeepSearch = RouteSearch & { readonly choice: RoutedChoice | undefined };

// Each reads four times as many ticks as the one before: the third has as many as an answer holds.
const deepenings = 3;

/**
 * Finds a route that takes the whole amount, or proves that the pools cannot take it. Pools whose known
 * ticks are used up are read to the end of their ticks, in the direction of the trade, and the search
 * runs again. Costs nothing if the first search finds a whole route, as nearly all do.
 */
export async function searchDeepEnough(
  search: RouteSearch,
  options: {
    readonly chain: { readonly chooseRoute: RouteChooser };
    readonly signal: AbortSignal;
    readAgain(reaches: ReadonlyMap<PoolId, TickReach>): Promise<Market>;
  },
): Promise<DeepSearch> {
  const { chain, readAgain } = options;
  let deeper = search;
  let choice = await chain.chooseRoute(deeper, options);
  for (let round = 0; round < deepenings && choice?.route.isPartial; round++) {
    const reaches = reachesBeyond(choice);
    if (reaches.size === 0) break;
    const market = await readAgain(reaches);
    deeper = { ...deeper, market };
    choice = await chain.chooseRoute(deeper, options);
  }
  return { ...deeper, choice };
}

function reachesBeyond({ route }: RoutedChoice): Map<PoolId, TickReach> {
  const offers = new Map<string, { pool: PoolState; zeroForOne: boolean; amountIn: bigint }>();
  for (const { hops } of route.paths) {
    for (const { pool, zeroForOne, amountIn } of hops) {
      const key = `${pool.id} ${zeroForOne}`;
      const before = offers.get(key)?.amountIn ?? 0n;
      offers.set(key, { pool, zeroForOne, amountIn: before + amountIn });
    }
  }
  const reaches = new Map<PoolId, TickReach>();
  for (const { pool, zeroForOne, amountIn } of offers.values()) {
    const kind = poolKindOf(pool);
    if (kind.reachBeyond === undefined) continue;
    // A hundredth more than it got: settling stops a little before the very end.
    const more = { zeroForOne, amountIn: amountIn + amountIn / 100n + 1n };
    if (simulateSwap(pool, more).shortfall !== 'ticks-unknown') continue;
    const reach = kind.reachBeyond(pool, zeroForOne);
    if (reach !== undefined) reaches.set(pool.id, reach);
  }
  return reaches;
}
