import fc from 'fast-check';
import { type Address, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sqrtRatioAtTick } from '../../src/swap/math/sqrt-ratio-at-tick.ts';
import { MAX_SQRT_RATIO, MIN_SQRT_RATIO } from '../../src/swap/math/tick-range.ts';
import { simulateConcentrated } from '../../src/swap/pools/concentrated/simulate.ts';
import { compileSolidity } from '../support/compile-solidity.ts';
import { type ConcentratedSettings, concentratedPool } from '../support/concentrated-pool.ts';
import { concentratedSettings, exactInputs } from '../support/random-concentrated-pool.ts';
import { creationCodeOf, openProbeChain, type ProbeChain } from './probe-chain.ts';

/** How many swaps the run compares; a long one is asked for by the environment. */
const swapCount = Number(process.env.TEST_SWAPS ?? 4_000);
const swapsPerPool = 40;

/** What routers give. */
const widestLimits = { lowest: MIN_SQRT_RATIO + 1n, highest: MAX_SQRT_RATIO - 1n };

/**
 * Beyond its outermost ticks a pool only walks through empty words. Where ticks are fine that takes
 * an EVM a second, so the limit there is the first price without liquidity.
 */
function limitsOf({ tickSpacing, positions }: ConcentratedSettings) {
  if (tickSpacing >= 200) return widestLimits;
  const lowest = sqrtRatioAtTick(Math.min(...positions.map(({ tickLower }) => tickLower))) - 1n;
  const highest = sqrtRatioAtTick(Math.max(...positions.map(({ tickUpper }) => tickUpper))) + 1n;
  return {
    lowest: lowest > widestLimits.lowest ? lowest : widestLimits.lowest,
    highest: highest < widestLimits.highest ? highest : widestLimits.highest,
  };
}

const probeAbi = parseAbi([
  'struct Position { int24 tickLower; int24 tickUpper; uint128 liquidity; }',
  'struct PriceLimits { uint160 lowest; uint160 highest; }',
  'struct PoolSettings { uint24 fee; int24 tickSpacing; uint160 sqrtPriceX96; uint8 feeProtocol; Position[] positions; PriceLimits limits; }',
  'struct Offer { bool zeroForOne; uint256 amountIn; }',
  'struct PoolState { uint160 sqrtPriceX96; int24 tick; uint128 liquidity; }',
  'struct Outcome { bool refused; uint256 amountIn; uint256 amountOut; uint256 amountOutAgain; PoolState stateAfter; }',
  'function run(address factory, PoolSettings settings, Offer[] offers) returns (PoolState initial, Outcome[] outcomes)',
]);

const experiments = concentratedSettings().chain((settings) =>
  fc.record({
    settings: fc
      .constantFrom<number>(0, 4, 10)
      .map((feeProtocol) => ({ ...settings, feeProtocol, limits: limitsOf(settings) })),
    offers: fc.array(exactInputs(settings), { minLength: swapsPerPool, maxLength: swapsPerPool }),
  }),
);
type Experiment = typeof experiments extends fc.Arbitrary<infer Value> ? Value : never;

let chain: ProbeChain;
let factory: Address;
let probe: Address;

beforeAll(async () => {
  chain = await openProbeChain();
  const { bytecode } = compileSolidity(
    new URL('./probes/', import.meta.url),
    'concentrated-probe.sol',
    'ConcentratedProbe',
  );
  probe = await chain.deploy(bytecode);
  factory = await chain.deploy(
    creationCodeOf(
      '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
    ),
  );
  const setOwner = encodeFunctionData({
    abi: parseAbi(['function setOwner(address)']),
    args: [probe],
  });
  await chain.send(factory, setOwner);
});
afterAll(() => chain.close());

it(
  `swaps as UniswapV3Pool does, ${swapCount} times in random pools [Q13]`,
  async () => {
    const numRuns = Math.ceil(swapCount / swapsPerPool);
    await fc.assert(fc.asyncProperty(experiments, compare), { numRuns, seed: 13 });
  },
  60_000 + swapCount * 20,
);

it('walks the whole bitmap as UniswapV3Pool does [Q13]', async () => {
  const positions = [{ tickLower: -887_270, tickUpper: 887_270, liquidity: 10n ** 6n }];
  const settings = {
    fee: 500,
    tickSpacing: 10,
    sqrtPriceX96: 1n << 96n,
    feeProtocol: 4,
    positions,
  };
  const everything = 2n ** 200n;
  await compare({
    settings: { ...settings, limits: widestLimits },
    offers: [
      { zeroForOne: true, amountIn: everything },
      { zeroForOne: true, amountIn: 1n },
      { zeroForOne: false, amountIn: everything },
      { zeroForOne: false, amountIn: 1n },
      { zeroForOne: true, amountIn: 10n ** 12n },
    ],
  });
});

async function compare({ settings, offers }: Experiment) {
  const data = encodeFunctionData({ abi: probeAbi, args: [factory, settings, offers] });
  const [initial, outcomes] = decodeFunctionResult({
    abi: probeAbi,
    data: await chain.call(probe, data),
  });

  let state = concentratedPool(settings);
  expect(stateOf(state)).toEqual(initial);
  for (const [index, offer] of offers.entries()) {
    const ours = simulateConcentrated(state, offer);
    const theirs = outcomes[index]!;
    // A pool takes an input too small to give anything, or reverts; we leave it alone in both cases.
    const givesNothing = theirs.refused || theirs.amountOut === 0n;
    expect({ offer, ...ours, stateAfter: stateOf(ours.stateAfter) }).toMatchObject({
      amountInUsed: givesNothing ? 0n : theirs.amountIn,
      amountOut: theirs.amountOut,
      stateAfter: theirs.stateAfter,
    });
    expect(theirs.amountOutAgain).toBe(theirs.amountOut);
    expect(ours.shortfall === undefined).toBe(!givesNothing && theirs.amountIn === offer.amountIn);
    state = ours.stateAfter;
  }
}

type PoolPrice = { sqrtPriceX96: bigint; tick: number; liquidity: bigint };

function stateOf({ sqrtPriceX96, tick, liquidity }: PoolPrice): PoolPrice {
  return { sqrtPriceX96, tick, liquidity };
}
