import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryPools, pair, token } from '../../../../tests/support/routing-pools.ts';
import { ethereum } from '../../deployments/chains/ethereum.ts';
import type { ChainDeployment } from '../../deployments/deployment.ts';
import type { PoolState } from '../../pools/pool.ts';
import { createRoutingMemory } from '../market/create-routing-memory.ts';
import type { MarketPool } from '../market/market.ts';
import { minAmountOut } from '../present-quote.ts';
import { feeOf } from '../swap-price.ts';
import { chooseRoute, type RouteSearch } from './choose-route.ts';
import { findAmountIn, grossOutput } from './find-amount-in.ts';

const whole = 10n ** 24n;

/** Ethereum with the executor, which takes any route. */
const withExecutor: ChainDeployment = {
  ...ethereum,
  routers: ethereum.routers.slice(0, 1).map((router) => ({ ...router, kind: 'tradewind' })),
};

/** A search between the first two tokens, by default over pools that SwapRouter02 swaps in. */
function searchOver(states: readonly PoolState[], deployment: ChainDeployment = ethereum) {
  const block = { number: 7n, hash: '0x', parentHash: '0x', timestamp: 0n, gasLimit: 0n } as const;
  return {
    deployment,
    market: {
      block: { ...block, gasPrice: 0n },
      isRemembered: false,
      pools: states.map((state): MarketPool => {
        const exchange = state.kind === 'concentrated' ? 'uniswap-v3' : 'uniswap-v2';
        return { pool: { ...state, exchange }, state };
      }),
      tokens: new Map(),
      storage: { balances: undefined, allowances: undefined },
      memory: createRoutingMemory(),
    },
    tokenIn: token(1),
    tokenOut: token(2),
    gasPrice: 0n,
  };
}

describe('findAmountIn', () => {
  const search = searchOver([
    pair([1, 2], [whole, whole]),
    pair([1, 3], [whole, whole], { id: 1 }),
    pair([3, 2], [whole, whole], { id: 2 }),
  ]);
  const { signal } = new AbortController();

  it('lets other requests go on between two searches [Q31]', async () => {
    let turns = 0;
    const clock = {
      async turn() {
        turns += 1;
      },
    };
    const amountIn = await findAmountIn(search, whole / 100n, { clock, signal });
    expect(amountIn).toBeGreaterThan(whole / 100n);
    expect(turns).toBeGreaterThan(1);
  });

  it('searches eleven times at most, whatever the pools and the output [Q32] [F75]', async () => {
    const clock = { turn: async () => {} };
    await fc.assert(
      fc.asyncProperty(
        arbitraryPools(3, 6),
        fc.integer({ min: 0, max: 2_400 }),
        async (pools, size) => {
          let searches = 0;
          const chain = {
            async chooseRoute(asked: RouteSearch) {
              searches += 1;
              return chooseRoute(asked);
            },
          };
          const target = BigInt(Math.floor(10 ** (size / 100)));
          await findAmountIn(searchOver(pools), target, { chain, clock, signal });
          expect(searches).toBeLessThanOrEqual(11);
        },
      ),
      { seed: 32, numRuns: 100 },
    );
  });

  it('reaches every output that an input gives, also all that the pools have [F75]', async () => {
    const clock = { turn: async () => {} };
    let reached = 0;
    await fc.assert(
      fc.asyncProperty(
        arbitraryPools(3, 6),
        fc.integer({ min: 900, max: 3_000 }),
        async (pools, size) => {
          const over = searchOver(pools, withExecutor);
          const amountIn = BigInt(Math.floor(10 ** (size / 100)));
          const given = chooseRoute({ ...over, amountIn })?.route;
          if (given === undefined || given.amountOut < 10n ** 6n) return;
          // More input may give less by the rounding of the search [Q3].
          const target = given.amountOut - given.amountOut / 100_000n;
          const found = await findAmountIn(over, target, { clock, signal });
          expect(found).toBeDefined();
          const again = chooseRoute({ ...over, amountIn: found! })!.route;
          expect(again.amountOut).toBeGreaterThanOrEqual(target);
          reached += 1;
        },
      ),
      { seed: 75, numRuns: 60 },
    );
    expect(reached).toBeGreaterThan(30);
  });

  it('searches a few times for more than the pools have [F75]', async () => {
    let searches = 0;
    const chain = {
      async chooseRoute(asked: RouteSearch) {
        searches += 1;
        return chooseRoute(asked);
      },
    };
    const clock = { turn: async () => {} };
    const asked = { ...search, deployment: withExecutor };
    const found = await findAmountIn(asked, 3n * whole, { chain, clock, signal });
    expect(found).toBeUndefined();
    expect(searches).toBeLessThanOrEqual(4);
  });

  it('ends where the caller gives up', async () => {
    const leaving = new AbortController();
    const clock = { turn: async () => leaving.abort(new Error('left')) };
    const found = findAmountIn(search, whole / 100n, { clock, signal: leaving.signal });
    await expect(found).rejects.toThrow('left');
  });
});

describe('grossOutput', () => {
  it('leaves the amount after fee and slippage, and hardly more [Q29]', () => {
    const slippages = [
      { numerator: 0n, denominator: 1n },
      { numerator: 5n, denominator: 1_000n },
      { numerator: 999n, denominator: 1_000n },
    ];
    for (const maxSlippage of slippages) {
      for (const fee of [0n, 1n, 2_500_000n, 999_999_999n]) {
        for (const amountOut of [1n, 7n, 10n ** 6n + 1n, 10n ** 24n]) {
          const gross = grossOutput(amountOut, { fee, maxSlippage });
          const worst = minAmountOut(gross, maxSlippage);
          expect(worst - feeOf(worst, fee)).toBeGreaterThanOrEqual(amountOut - 1n);
          expect(gross - feeOf(gross, fee)).toBeGreaterThanOrEqual(amountOut);
          const less = minAmountOut(gross - gross / 100n - 3n, maxSlippage);
          expect(less - feeOf(less, fee)).toBeLessThanOrEqual(amountOut);
        }
      }
    }
  });
});
