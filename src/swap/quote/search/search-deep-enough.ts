import type { PoolId, Seen, TickReach } from '../../pools/pool.ts';
import { poolKindOf } from '../../pools/pool-kinds.ts';
import type { Market } from '../market/market.ts';
import type { RoutedChoice, RouteSearch } from './choose-route.ts';
import type { RouteChooser } from './create-route-chooser.ts';

export type DeepSearch = RouteSearch & { readonly choice: RoutedChoice | undefined };

// Each reads four times as many ticks as the one before: the third has as many as an answer holds.
const deepenings = 3;

/**
 * Finds a route and a bound that hold whatever lies in ticks that were not read. Pools that the bound uses to the end of what
 * is known of them are read to the end of their ticks, in that direction, and the search runs again [Q48]. So a
 * trade that its pools cannot take is found to be one, too. Where no route is found, whatever may hold one is read before that is
 * said [F96]. Costs nothing if the first search stays within what is known, as
 * nearly all do.
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
  let deeper = { ...search, market: await readUnseen(search.market, options) };
  let choice = await chain.chooseRoute(deeper, options);
  for (let round = 0; round < deepenings; round++) {
    const { market: known } = deeper;
    const reaches = choice === undefined ? unseen(known) : reachesBeyond(known, choice);
    if (reaches.size === 0) break;
    const market = await readAgain(reaches);
    deeper = { ...deeper, market };
    choice = await chain.chooseRoute(deeper, options);
  }
  return { ...deeper, choice };
}

/** The market with the ticks next to the price of each pool, where none of them was read: no search shows that they are missing [F96]. */
export async function readUnseen(
  market: Market,
  { readAgain }: Pick<Parameters<typeof searchDeepEnough>[1], 'readAgain'>,
): Promise<Market> {
  const reaches = unseen(market, 'too-little');
  return reaches.size === 0 ? market : readAgain(reaches);
}

/** How far to read the pools of which nothing is known in a direction, or so little. */
function unseen({ pools }: Pick<Market, 'pools'>, least?: Seen): Map<PoolId, TickReach> {
  const reaches = new Map<PoolId, TickReach>();
  for (const { state } of pools) {
    const kind = poolKindOf(state);
    for (const zeroForOne of [true, false]) {
      const seen = kind.seenOf?.(state, zeroForOne);
      if (seen === undefined || seen === 'some' || (least !== undefined && seen !== least))
        continue;
      const reach = kind.reachBeyond?.(state, zeroForOne);
      if (reach !== undefined) reaches.set(state.id, reach);
    }
  }
  return reaches;
}

/** How far to read the pools on which the bound ends, where they can be read further. */
function reachesBeyond(
  { pools }: Pick<Market, 'pools'>,
  { route }: RoutedChoice,
): Map<PoolId, TickReach> {
  const states = new Map(pools.map(({ state }) => [state.id, state]));
  const reaches = new Map<PoolId, TickReach>();
  for (const { id, zeroForOne } of route.optimality.openEnds) {
    const state = states.get(id);
    const reach = state && poolKindOf(state).reachBeyond?.(state, zeroForOne);
    if (reach !== undefined) reaches.set(id, reach);
  }
  return reaches;
}
