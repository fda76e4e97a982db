import { describe, expect, it } from 'vitest';
import { concentratedPool } from '../../../../tests/support/concentrated-pool.ts';
import { constantProductPool } from '../../../../tests/support/constant-product-pool.ts';
import { ethereum } from '../../deployments/chains/ethereum.ts';
import { type Address, parseAddress } from '../../model.ts';
import type { PoolState } from '../../pools/pool.ts';
import { createRoutingMemory } from '../market/create-routing-memory.ts';
import type { MarketPool } from '../market/market.ts';
import { chooseRoute, type RouteSearch } from './choose-route.ts';

const [tokenIn, tokenOut, between] = ['1', '2', '3'].map(addressOf) as [Address, Address, Address];

function addressOf(digit: string): Address {
  return parseAddress(`0x${digit.repeat(40)}`);
}

const million = 10n ** 24n;

function pair(token0: Address, token1: Address, reserve1 = million): PoolState {
  const fee = { feeNumerator: 997n, feeDenominator: 1_000n };
  return { ...constantProductPool({ reserve0: million, reserve1, ...fee }), token0, token1 };
}

function concentrated(token0: Address, token1: Address): PoolState {
  const positions = [{ tickLower: -60_000, tickUpper: 60_000, liquidity: million }];
  const sqrtPriceX96 = 1n << 96n;
  const pool = concentratedPool({ fee: 3_000, tickSpacing: 60, sqrtPriceX96, positions });
  return { ...pool, token0, token1 };
}

function search(states: readonly PoolState[]): RouteSearch {
  const pools = states.map((state, index) => {
    const address = addressOf(String(index + 4));
    const isPair = state.kind === 'constant-product';
    const pool = { address, exchange: isPair ? 'uniswap-v2' : 'uniswap-v3' };
    // The choice of a route reads only the exchange from a pool's description.
    return { pool, state: { ...state, address } } as MarketPool;
  });
  const block = { number: 7n, hash: '0x', parentHash: '0x', timestamp: 0n, gasLimit: 0n } as const;
  const storage = { balances: undefined, allowances: undefined };
  return {
    deployment: ethereum,
    market: {
      block: { ...block, gasPrice: 0n },
      isRemembered: false,
      pools,
      tokens: new Map(),
      storage,
      memory: createRoutingMemory(),
    },
    tokenIn,
    tokenOut,
    amountIn: 10n ** 23n,
    gasPrice: 0n,
  };
}

describe('chooseRoute', () => {
  it('splits over both kinds of pools where one router knows both [Q18]', () => {
    const choice = chooseRoute(search([pair(tokenIn, tokenOut), concentrated(tokenIn, tokenOut)]));
    expect(choice?.router).toBe(ethereum.routers[0]);
    expect(choice?.route.paths.length).toBe(2);
  });

  it('takes a single path where paths of a split would spend the output that others collected [Q20]', () => {
    const choice = chooseRoute(
      search([
        pair(tokenIn, tokenOut),
        concentrated(tokenIn, tokenOut),
        // Twice as much comes back from that token, so every path is best if it passes the output and returns to it.
        pair(tokenOut, between, 2n * million),
        concentrated(tokenOut, between),
      ]),
    );
    expect(choice?.route.paths.length).toBe(1);
    expect(choice?.route.paths[0]?.hops.length).toBe(3);
  });

  it('has a bound over all pools of the market, whichever of them its router can swap in [Q48]', () => {
    const rival = pair(tokenIn, tokenOut, million + 10n ** 20n);
    const asked = search([pair(tokenIn, tokenOut), rival, concentrated(tokenIn, tokenOut)]);
    const [first, second, third] = asked.market.pools as [MarketPool, MarketPool, MarketPool];
    const pools = [first, { ...second, pool: { ...second.pool, exchange: 'sushiswap-v2' } }, third];
    const few = { ...asked, market: { ...asked.market, pools: pools as MarketPool[] } };
    const [all, part] = [chooseRoute(asked), chooseRoute({ ...few, within: 'one-path-of-pairs' })];
    expect(part?.route.optimality.upperBound).toBe(all?.route.optimality.upperBound);
    expect(part?.route.optimality.gapBps).toBeGreaterThan(all?.route.optimality.gapBps ?? 0);
  });

  it('keeps to one path of pairs for a token that does not arrive whole [Q15]', () => {
    const market = search([pair(tokenIn, tokenOut), concentrated(tokenIn, tokenOut)]);
    const choice = chooseRoute({ ...market, within: 'one-path-of-pairs' });
    expect(choice?.route.paths.map(({ hops }) => hops.map(({ pool }) => pool.kind))).toEqual([
      ['constant-product'],
    ]);
  });
});
