import type { PoolState } from '../../pools/pool.ts';
import type { SettledRoute } from '../../routing/find-route.ts';
import type { SettledHop } from '../../routing/settle-plan.ts';
import type { RoutedChoice, RouteQuestion } from './choose-route.ts';

// The messages between the serving thread and the search thread. A state is sent once, and named by its number after that.

/** A state with its number, and the exchange that it is on. */
export type SentPool = {
  readonly number: number;
  readonly exchange: string;
  readonly state: PoolState;
};

/** The pools of a market by their numbers, and what is asked of them. */
export type SentQuestion = Omit<RouteQuestion, 'market'> & { readonly pools: readonly number[] };

export type SearchMessage =
  | { readonly learn: readonly SentPool[] }
  | { readonly forget: true }
  | { readonly id: number; readonly question: SentQuestion };

type SentRoute = Omit<SettledRoute, 'paths'> & {
  readonly paths: readonly (Omit<SettledRoute['paths'][number], 'hops'> & {
    readonly hops: readonly (Omit<SettledHop, 'pool'> & { readonly pool: number })[];
  })[];
};

/** A choice with its router and pools as indexes into the question. */
type SentChoice = Pick<RoutedChoice, 'midPrice'> & {
  readonly router: number;
  readonly route: Omit<RoutedChoice['route'], 'paths'> & Pick<SentRoute, 'paths'>;
};

export type SearchAnswer = { readonly id: number } & (
  | { readonly choice: SentChoice | undefined }
  | { readonly fault: unknown }
);

/** The choice in the form in which it is sent. */
export function sendChoice(choice: RoutedChoice, question: RouteQuestion): SentChoice {
  const places = new Map(question.market.pools.map(({ state }, place) => [state, place]));
  const { route } = choice;
  return {
    router: question.deployment.routers.indexOf(choice.router),
    midPrice: choice.midPrice,
    route: {
      ...route,
      paths: route.paths.map((path) => ({
        ...path,
        hops: path.hops.map((hop) => ({ ...hop, pool: places.get(hop.pool) ?? -1 })),
      })),
    },
  };
}

/** The choice with the states and routers of the question. Throws if it does not belong to this question. */
export function receiveChoice(sent: SentChoice, question: RouteQuestion): RoutedChoice {
  const router = question.deployment.routers[sent.router];
  const stateAt = (place: number) => {
    const state = question.market.pools[place]?.state;
    if (state === undefined) throw new Error(`There is no pool ${place} in the market.`);
    return state;
  };
  if (router === undefined) throw new Error(`There is no router ${sent.router}.`);
  return {
    router,
    midPrice: sent.midPrice,
    route: {
      ...sent.route,
      paths: sent.route.paths.map((path) => ({
        ...path,
        hops: path.hops.map((hop) => ({ ...hop, pool: stateAt(hop.pool) })),
      })),
    },
  };
}
