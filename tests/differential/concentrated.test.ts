import fc from 'fast-check';
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Evm } from '../../src/devchain/open-evm.ts';
import { sendTransaction } from '../../src/devchain/send-transaction.ts';
import { uniswapDeployment } from '../../src/devchain/uniswap-deployment.ts';
import { sqrtRatioAtTick } from '../../src/swap/math/sqrt-ratio-at-tick.ts';
import { MAX_SQRT_RATIO, MIN_SQRT_RATIO } from '../../src/swap/math/tick-range.ts';
import { simulateConcentrated } from '../../src/swap/pools/concentrated/simulate.ts';
import type { ExactInput } from '../../src/swap/pools/pool-state.ts';
import { type ConcentratedSettings, concentratedPool } from '../support/concentrated-pool.ts';
import { concentratedSettings, offersToConcentrated } from '../support/random-concentrated-pool.ts';
import { comparisonRuns, comparisonTimeout, swapCount, swapsPerPool } from './comparison-runs.ts';
import { openProbe, type Probe } from './open-probe.ts';

const factory = uniswapDeployment.concentratedFactory;
const factoryAbi = parseAbi([
  'function owner() view returns (address)',
  'function setOwner(address)',
]);
const probeAbi = parseAbi([
  'struct Position { int24 tickLower; int24 tickUpper; uint128 liquidity; }',
  'struct PriceLimits { uint160 lowest; uint160 highest; }',
  'struct PoolSettings { uint24 fee; int24 tickSpacing; uint160 sqrtPriceX96; uint8 feeProtocol; Position[] positions; PriceLimits limits; }',
  'struct Offer { bool zeroForOne; uint256 amountIn; }',
  'struct PoolState { uint160 sqrtPriceX96; int24 tick; uint128 liquidity; }',
  'struct Outcome { bool refused; uint256 amountIn; uint256 amountOut; uint256 amountOutAgain; PoolState stateAfter; }',
  'function run(address factory, PoolSettings settings, Offer[] offers) returns (PoolState initial, Outcome[] outcomes)',
]);

let probe: Probe;

beforeAll(async () => {
  probe = await openProbe('ConcentratedProbe');
  const owner = await readOwner(probe.evm);
  const setOwner = { abi: factoryAbi, functionName: 'setOwner', args: [probe.address] } as const;
  await sendTransaction(probe.evm, {
    from: owner,
    to: factory,
    data: encodeFunctionData(setOwner),
  });
});
afterAll(() => probe.evm.close());

it(
  `swaps as UniswapV3Pool does, ${swapCount} times in random pools [Q13]`,
  async () => {
    const experiments = concentratedSettings.chain((settings) =>
      fc.record({
        settings: fc.constant(settings),
        feeProtocol: fc.constantFrom(0, 4, 10),
        limits: fc.constant(limitsOf(settings)),
        offers: fc.array(offersToConcentrated(settings), {
          minLength: swapsPerPool,
          maxLength: swapsPerPool,
        }),
      }),
    );
    await fc.assert(fc.asyncProperty(experiments, compare), comparisonRuns);
  },
  comparisonTimeout,
);

it('walks the whole bitmap as UniswapV3Pool does [Q13]', async () => {
  const everything = 2n ** 200n;
  await compare({
    settings: {
      fee: 500,
      tickSpacing: 10,
      sqrtPriceX96: 1n << 96n,
      positions: [{ tickLower: -887_270, tickUpper: 887_270, liquidity: 10n ** 6n }],
    },
    feeProtocol: 4,
    limits: widestLimits,
    offers: [
      { zeroForOne: true, amountIn: everything },
      { zeroForOne: true, amountIn: 1n },
      { zeroForOne: false, amountIn: everything },
      { zeroForOne: false, amountIn: 1n },
      { zeroForOne: true, amountIn: 10n ** 12n },
    ],
  });
});

it('takes the formula of UniswapV3Pool for products that leave 256 bits [Q13]', async () => {
  const highest = 54 * 16_383;
  await compare({
    settings: {
      fee: 250,
      tickSpacing: 16_383,
      sqrtPriceX96: sqrtRatioAtTick(highest - 5),
      positions: [{ tickLower: -highest, tickUpper: highest, liquidity: 2n ** 103n + 12_345n }],
    },
    feeProtocol: 0,
    limits: widestLimits,
    // Down from the highest price by more and more, and each time all the way up again.
    offers: Array.from({ length: 40 }, (_, power) => [
      { zeroForOne: true, amountIn: (3n ** 30n) << BigInt(40 + power) },
      { zeroForOne: false, amountIn: 2n ** 200n },
    ]).flat(),
  });
});

/** Only the factory's owner may add fee tiers and turn the protocol's fee on. */
async function readOwner(evm: Evm): Promise<Address> {
  const owner = { abi: factoryAbi, functionName: 'owner' } as const;
  const call = { to: factory, data: encodeFunctionData(owner) };
  const data = await evm.request({ method: 'eth_call', params: [call, 'latest'] });
  return decodeFunctionResult({ ...owner, data: data as Hex });
}

type PriceLimits = { readonly lowest: bigint; readonly highest: bigint };

/** Makes the pool, and lets the contract and our arithmetic answer the same offers one after another. */
async function compare({
  settings,
  feeProtocol,
  limits,
  offers,
}: {
  settings: ConcentratedSettings;
  feeProtocol: number;
  limits: PriceLimits;
  offers: readonly ExactInput[];
}) {
  const [initial, outcomes] = decodeFunctionResult({
    abi: probeAbi,
    data: await probe.call(
      encodeFunctionData({
        abi: probeAbi,
        args: [factory, { ...settings, feeProtocol, limits }, offers],
      }),
    ),
  });

  let state = concentratedPool(settings);
  expect(state).toMatchObject(initial);
  for (const [index, offer] of offers.entries()) {
    const ours = simulateConcentrated(state, offer);
    const theirs = outcomes[index]!;
    // A pool keeps an input too small to give anything, or refuses it; ours takes nothing of both.
    const givesNothing = theirs.refused || theirs.amountOut === 0n;
    expect(ours).toMatchObject({
      amountInUsed: givesNothing ? 0n : theirs.amountIn,
      amountOut: theirs.amountOut,
      stateAfter: theirs.stateAfter,
    });
    expect(theirs.amountOutAgain).toBe(theirs.amountOut);
    expect(ours.shortfall === undefined).toBe(!givesNothing && theirs.amountIn === offer.amountIn);
    state = ours.stateAfter;
  }
}

/** What routers give. */
const widestLimits: PriceLimits = { lowest: MIN_SQRT_RATIO + 1n, highest: MAX_SQRT_RATIO - 1n };

/**
 * Beyond its outermost ticks a pool only walks through empty words. Where ticks are fine that takes
 * an EVM a second, so the limit there is the first price without liquidity.
 */
function limitsOf({ tickSpacing, positions }: ConcentratedSettings): PriceLimits {
  if (tickSpacing >= 200) return widestLimits;
  const lowest = sqrtRatioAtTick(Math.min(...positions.map(({ tickLower }) => tickLower))) - 1n;
  const highest = sqrtRatioAtTick(Math.max(...positions.map(({ tickUpper }) => tickUpper))) + 1n;
  return {
    lowest: lowest > widestLimits.lowest ? lowest : widestLimits.lowest,
    highest: highest < widestLimits.highest ? highest : widestLimits.highest,
  };
}
