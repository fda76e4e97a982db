import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concentratedPool } from '../../../../tests/support/concentrated-pool.ts';
import { propertyRuns } from '../../../../tests/support/property-runs.ts';
import { token } from '../../../../tests/support/routing-pools.ts';
import { ethereum } from '../../deployments/chains/ethereum.ts';
import type { ConcentratedState } from '../../pools/concentrated/concentrated-pool.ts';
import { usualReach } from '../../pools/concentrated/refresh.ts';
import { simulateConcentrated } from '../../pools/concentrated/simulate.ts';
import { sqrtRatioAtTick } from '../../pools/concentrated/ticks.ts';
import type { PoolState, TickReach } from '../../pools/pool.ts';
import { createRoutingMemory } from '../market/create-routing-memory.ts';
import type { Market, MarketPool } from '../market/market.ts';
import { createRouteChooser } from './create-route-chooser.ts';
import { searchDeepEnough } from './search-deep-enough.ts';

/** The pool as `PoolReader.sol` reads it: the word of the tick, and words on both sides until one has enough ticks. */
function readOf(
  pool: ConcentratedState,
  { wordsBelow, wordsAbove, ticksPerSide }: TickReach,
): ConcentratedState {
  const { tick, tickSpacing } = pool;
  const wordOf = (index: number) => Math.floor(Math.floor(index / tickSpacing) / 256);
  const ticksIn = (word: number) => pool.ticks.filter(({ index }) => wordOf(index) === word).length;
  const word = wordOf(tick);
  const missing = Math.max(0, ticksPerSide - Math.floor(ticksIn(word) / 2));
  const lastWord = (step: 1 | -1, words: number) => {
    let last = word;
    for (let found = 0, count = 0; count < words && found < missing; count++) {
      last += step;
      found += ticksIn(last);
    }
    return last;
  };
  const lowestKnownTick = Math.max(
    pool.lowestKnownTick,
    lastWord(-1, wordsBelow) * 256 * tickSpacing,
  );
  const highestKnownTick = Math.min(
    pool.highestKnownTick,
    (lastWord(1, wordsAbove) * 256 + 255) * tickSpacing,
  );
  const isKnown = ({ index }: { index: number }) =>
    index >= lowestKnownTick && index <= highestKnownTick;
  return { ...pool, lowestKnownTick, highestKnownTick, ticks: pool.ticks.filter(isKnown) };
}

function marketOf(state: PoolState): Market {
  const block = { hash: '0x', parentHash: '0x', timestamp: 0n, gasLimit: 0n } as const;
  return {
    block: { ...block, number: 7n, gasPrice: 0n },
    isRemembered: false,
    pools: [{ pool: { exchange: 'uniswap-v3' }, state } as MarketPool],
    tokens: new Map(),
    storage: { balances: undefined, allowances: undefined },
    memory: createRoutingMemory(),
  };
}

/** What the quote of an amount in one pool gives, which is read as far as the search asks. */
async function quoted(
  pool: ConcentratedState,
  zeroForOne: boolean,
  amountIn: bigint,
): Promise<bigint> {
  const [tokenIn, tokenOut] = zeroForOne ? [token(1), token(2)] : [token(2), token(1)];
  const market = marketOf(readOf(pool, usualReach(pool)));
  const { choice } = await searchDeepEnough(
    { deployment: ethereum, market, tokenIn, tokenOut, amountIn, gasPrice: 0n },
    {
      chain: { chooseRoute: createRouteChooser() },
      signal: new AbortController().signal,
      readAgain: async (reaches) =>
        marketOf(readOf(pool, reaches.get(pool.id) ?? usualReach(pool))),
    },
  );
  return choice?.route.amountOut ?? 0n;
}

const wide = 10n ** 18n;

/** A wide position, and positions of next to nothing side by side from a word border on, up or down. */
const layouts = fc
  .record({
    tickSpacing: fc.constantFrom(1, 10, 60),
    border: fc.integer({ min: -3, max: 3 }),
    offset: fc.integer({ min: -2, max: 2 }),
    fraction: fc.constantFrom(0n, 1n, 500n, 999n),
    dust: fc.integer({ min: 0, max: 120 }),
    isAbove: fc.boolean(),
    gap: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ tickSpacing, border, offset, fraction, dust, isAbove, gap }) => {
    const edge = border * 256 * tickSpacing;
    const tick = edge + offset * Math.ceil(tickSpacing / 2);
    const [low, high] = [sqrtRatioAtTick(tick), sqrtRatioAtTick(tick + 1)];
    const end = Math.floor(200_000 / tickSpacing) * tickSpacing;
    const positions = Array.from({ length: dust }, (_, index) => {
      const from = (gap + 2 * index) * tickSpacing;
      const lower = isAbove ? edge + from : edge - from - tickSpacing;
      return { tickLower: lower, tickUpper: lower + tickSpacing, liquidity: 1n };
    });
    return concentratedPool({
      fee: 500,
      tickSpacing,
      sqrtPriceX96: low + ((high - low - 1n) * fraction) / 1_000n,
      positions: [{ tickLower: -end, tickUpper: end, liquidity: wide }, ...positions],
    });
  })
  .map((pool) => ({ ...pool, token0: token(1), token1: token(2) }));

describe('a search over a pool whose ticks were read in part', () => {
  it('gives what the pool gives, wherever in a word its price is and whatever lies beside it [F96]', async () => {
    await fc.assert(
      fc.asyncProperty(
        layouts,
        fc.boolean(),
        fc.constantFrom(10n ** 6n, 10n ** 12n, 10n ** 15n, 10n ** 17n),
        async (pool, zeroForOne, amountIn) => {
          const { amountOut } = simulateConcentrated(pool, { zeroForOne, amountIn });
          expect(await quoted(pool, zeroForOne, amountIn)).toBe(amountOut);
        },
      ),
      propertyRuns,
    );
  });

  const dustBeside = (tick: number, isAbove: boolean, tickSpacing: number) =>
    concentratedPool({
      fee: 500,
      tickSpacing,
      sqrtPriceX96: sqrtRatioAtTick(tick),
      positions: [
        { tickLower: -200_000, tickUpper: 200_000, liquidity: wide },
        ...Array.from({ length: 100 }, (_, index) => {
          const tickLower = tickSpacing * (isAbove ? 2 * index + 2 : -2 * index - 4);
          return { tickLower, tickUpper: tickLower + tickSpacing, liquidity: 1n };
        }),
      ],
    });

  it.each([
    ['tick 0 with dust above', dustBeside(0, true, 1), true],
    ['tick -5 with dust below', dustBeside(-5, false, 10), false],
  ] as const)('finds a route at %s [F96]', async (_where, pool, zeroForOne) => {
    const state = { ...pool, token0: token(1), token1: token(2) };
    const { amountOut } = simulateConcentrated(state, { zeroForOne, amountIn: 10n ** 14n });
    expect(amountOut).toBeGreaterThan(9n * 10n ** 13n);
    expect(await quoted(state, zeroForOne, 10n ** 14n)).toBe(amountOut);
  });
});
