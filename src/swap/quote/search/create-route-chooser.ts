import { createBoundedMap } from '../../../kernel/wait/remembered.ts';
import { type SharedWork, shareWork } from '../../../kernel/wait/shared-work.ts';
import { swapLimits } from '../../limits.ts';
import { chooseRoute, type RoutedChoice, type RouteSearch } from './choose-route.ts';
import type { SearchThread } from './create-search-thread.ts';

/** Gives what {@link chooseRoute} gives. Rejects with the signal's reason when that fires before. */
export type RouteChooser = (
  search: RouteSearch,
  options: { readonly signal: AbortSignal },
) => Promise<RoutedChoice | undefined>;

export type RouteChooserOptions = {
  /** Where long searches run; by default on the calling thread. */
  readonly thread?: Pick<SearchThread, 'choose'> | undefined;
  /** Called for every search that was not cached, with the thread on which it runs. */
  onSearch?(where: 'serving' | 'search'): void;
};

type Known = { readonly choice: RoutedChoice | undefined } | SharedWork<RoutedChoice | undefined>;

/**
 * Chooses routes over the markets of one chain. The search is a pure function, so the same question about the same
 * pools of a block is answered once. Searches over many pools run on a thread of their own, so that other requests do
 * not wait for them [Q31].
 */
export function createRouteChooser(options: RouteChooserOptions = {}): RouteChooser {
  const { thread, onSearch } = options;
  const numberOf = createNumbers();
  let known = createBoundedMap<string, Known>(swapLimits.routesKept.value);
  let newestBlock = 0n;

  function searchElsewhere(key: string, search: RouteSearch, elsewhere: typeof thread) {
    const choices = known;
    const work = shareWork(async (signal) => {
      const choice = await elsewhere?.choose(search, signal);
      choices.set(key, { choice });
      return choice;
    });
    choices.set(key, work);
    return work;
  }

  return async (search, { signal }) => {
    const { market, deployment, tokenIn, tokenOut, amountIn, gasPrice, within = '' } = search;
    if (market.block.number > newestBlock) {
      // Routes of earlier blocks would keep their pools in memory, and are rarely asked for again.
      known = createBoundedMap(swapLimits.routesKept.value);
      newestBlock = market.block.number;
    }
    const things = `${numberOf(market.pools)} ${numberOf(deployment)}`;
    const key = `${things} ${tokenIn} ${tokenOut} ${amountIn} ${gasPrice} ${within}`;
    const found = known.get(key);
    if (found !== undefined && 'choice' in found) return found.choice;
    if (found !== undefined && !found.isAbandoned) return found.join(signal);
    if (thread !== undefined && market.pools.length > swapLimits.poolsSearchedServing.value) {
      onSearch?.('search');
      return searchElsewhere(key, search, thread).join(signal);
    }
    onSearch?.('serving');
    const choice = chooseRoute(search);
    known.set(key, { choice });
    return choice;
  };
}

/** Numbers objects by their identity. */
function createNumbers(): (object: object) => number {
  const numbers = new WeakMap<object, number>();
  let last = 0;
  return (object) => {
    const number = numbers.get(object) ?? ++last;
    numbers.set(object, number);
    return number;
  };
}
