import type { Clock } from '../../../kernel/wait/clock.ts';
import type { Address } from '../../model.ts';
import type { PoolId } from '../pool.ts';
import type { PoolQuery } from '../read-pools.ts';
import { coversQuery } from './covers-query.ts';

/** The pools in use: those asked for within the lifetime, and the widest query each was asked for with. */
export type PoolUses = {
  /** Makes these the most recently used. */
  note(queries: readonly PoolQuery[]): void;
  has(id: PoolId): boolean;
  /** Whether a pool in use has the token. */
  hasToken(token: Address): boolean;
  /** The query of each pool in use. */
  queries(): readonly PoolQuery[];
};

/** Keeps at most `capacity` uses for `lifetimeMs` each, and reports every pool that is no longer in use. */
export function createPoolUses(options: {
  clock: Clock;
  capacity: number;
  lifetimeMs: number;
  onUnused(id: PoolId): void;
}): PoolUses {
  const { clock, capacity, lifetimeMs, onUnused } = options;
  // A map keeps the order of insertion: the pools that were used longest ago come first.
  const uses = new Map<PoolId, { query: PoolQuery; at: number }>();
  /** How many of the pools in use have each token: every quote asks for two of them. */
  const poolsOfToken = new Map<Address, number>();

  function countTokens({ pool: { token0, token1 } }: PoolQuery, more: 1 | -1): void {
    for (const token of [token0, token1]) {
      const count = (poolsOfToken.get(token) ?? 0) + more;
      if (count > 0) poolsOfToken.set(token, count);
      else poolsOfToken.delete(token);
    }
  }

  function forgetUnused(): void {
    const now = clock.now();
    for (const [id, { query, at }] of uses) {
      if (uses.size <= capacity && at + lifetimeMs > now) break;
      uses.delete(id);
      countTokens(query, -1);
      onUnused(id);
    }
  }

  return {
    note(queries) {
      const at = clock.now();
      for (const query of queries) {
        const { id } = query.pool;
        const before = uses.get(id)?.query;
        if (before === undefined) countTokens(query, 1);
        const isWider = before !== undefined && coversQuery(before, query);
        uses.delete(id);
        uses.set(id, { query: isWider ? before : query, at });
      }
      forgetUnused();
    },
    has: (id) => uses.has(id),
    hasToken(token) {
      forgetUnused();
      return poolsOfToken.has(token);
    },
    queries() {
      forgetUnused();
      return [...uses.values()].map(({ query }) => query);
    },
  };
}
