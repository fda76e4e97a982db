import type { Block } from '../../chain/chain-reader.ts';
import type { ChainDeployment, Router } from '../../deployments/deployment.ts';
import { type Address, SwapError, type TokenMetadata } from '../../model.ts';
import type { Pool, PoolId, PoolState, TickReach } from '../../pools/pool.ts';
import { paysSomebodyElse } from '../../transaction/encode-swap.ts';
import type { TokenStorage } from '../../transaction/storage-layout.ts';
import type { PriceRequest, QuoteRequest, RouteChoice } from '../quote.ts';
import type { SwapSides } from '../swap-sides.ts';
import type { RoutingMemory } from './create-routing-memory.ts';

/** What a quote between two tokens needs to know of a chain, all of it of one block [Q16]. */
export type Market = {
  readonly block: Block;
  /** Whether the block comes from memory, and may no longer be the newest. */
  readonly isRemembered: boolean;
  readonly pools: readonly MarketPool[];
  /** The two tokens and every token that a route may pass. */
  readonly tokens: ReadonlyMap<Address, TokenMetadata>;
  /** How the token paid stores balances and allowances. */
  readonly storage: TokenStorage;
  /** What searches over the pools of this chain have prepared. */
  readonly memory: RoutingMemory;
};

export type MarketPool = { readonly pool: Pool; readonly state: PoolState };

export type MarketOptions = {
  readonly sides: SwapSides;
  /** Without one, the storage layout of the token paid is not read. */
  readonly sender?: QuoteRequest['sender'];
  /** Whether routes may pass the further tokens of the chain, too [Q50]. */
  readonly looksFurther?: boolean | undefined;
  /** Pools whose ticks are read further than usual. */
  readonly reaches?: ReadonlyMap<PoolId, TickReach> | undefined;
  /** Ask for the newest block instead of using the one that was last seen. */
  readonly isFresh: boolean;
  /** Take a block from memory only if it was confirmed as the newest within this time. */
  readonly mostAgeMs?: number;
  /** The block to read, where the caller has chosen one. */
  readonly at?: Block;
  readonly signal: AbortSignal;
};

/** Throws `INVALID_PARAMS` for an exchange that the chain does not have, before anything is read of it. */
export function checkExchanges(
  { exchanges }: ChainDeployment,
  { dexes = [], excludeDexes = [] }: RouteChoice,
): void {
  const names = exchanges.map(({ name }) => name);
  mustExist('dexes', dexes, names);
  mustExist('excludeDexes', excludeDexes, names);
}

/**
 * The chain with only the exchanges and routers that the request allows [Q29]. Throws `INVALID_PARAMS` for a kind of
 * router that the chain does not have. Reading a market comes first: it shows whether the chain has our executor.
 */
export function narrowDeployment(
  deployment: ChainDeployment,
  request: RouteChoice &
    Pick<PriceRequest, 'fee'> &
    Pick<Partial<QuoteRequest>, 'permit' | 'recipient'>,
): ChainDeployment {
  const { dexes, excludeDexes = [], router, fee, permit, recipient } = request;
  const { exchanges } = deployment;
  const kinds = [...new Set(deployment.routers.map(({ kind }) => kind))];
  mustExist('router', router === undefined ? [] : [router], kinds);
  const onlyExecutor = fee ? 'fee' : permit && permit !== 'auto' ? 'permit' : undefined;
  const routers = deployment.routers.filter(({ kind }) => !onlyExecutor || kind === 'tradewind');
  if (onlyExecutor && (routers.length === 0 || (router ?? 'tradewind') !== 'tradewind')) {
    refuse(
      onlyExecutor,
      'works only with the router tradewind: name no other router, and deploy tradewind if the chain does not have it',
    );
  }
  const isPaid = (one: Router) => recipient === undefined || !paysSomebodyElse(one, recipient);
  const wanted = routers.filter((one) => router === undefined || one.kind === router);
  const paying = wanted.filter(isPaid);
  if (paying.length === 0 && wanted.length > 0) {
    refuse('recipient', 'means somebody else to the router: name another recipient or router');
  }
  const isNarrower = dexes ?? excludeDexes[0] ?? router ?? onlyExecutor;
  if (isNarrower === undefined && paying.length === wanted.length) return deployment;
  return {
    ...deployment,
    exchanges: exchanges.filter(
      ({ name }) => (dexes?.includes(name) ?? true) && !excludeDexes.includes(name),
    ),
    routers: paying,
  };
}

/** The market with only the pools on exchanges that are left in the narrowed deployment. */
export function narrowMarket(
  market: Market,
  { whole, narrowed }: { readonly whole: ChainDeployment; readonly narrowed: ChainDeployment },
): Market {
  if (whole === narrowed) return market;
  const names = new Set(narrowed.exchanges.map(({ name }) => name));
  const pools = market.pools.filter(({ pool }) => names.has(pool.exchange));
  return pools.length === market.pools.length ? market : { ...market, pools };
}

function mustExist(parameter: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  refuse(
    parameter,
    `names ${JSON.stringify(unknown.slice(0, 80))}, which this chain does not have; it has ${known.join(', ')}`,
  );
}

/** Throws `INVALID_PARAMS` with a rule that follows the name of the parameter. */
export function refuse(parameter: string, rule: string): never {
  throw new SwapError('INVALID_PARAMS', `${parameter} ${rule}.`, {
    details: { [parameter]: rule },
  });
}
