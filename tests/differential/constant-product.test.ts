import pair from '@uniswap/v2-core/build/UniswapV2Pair.json' with { type: 'json' };
import fc from 'fast-check';
import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uniswapDeployment } from '../../src/devchain/known-exchanges.ts';
import { simulateConstantProduct } from '../../src/swap/pools/constant-product.ts';
import type { ExactInput } from '../../src/swap/pools/pool.ts';
import {
  type ConstantProductSettings,
  constantProductPool,
} from '../support/constant-product-pool.ts';
import {
  constantProductSettings,
  offersToConstantProduct,
} from '../support/random-constant-product-pool.ts';
import {
  compareInRandomPools,
  comparisonTimeout,
  swapCount,
  swapsPerPool,
} from './comparison-runs.ts';
import { openProbe, type Probe } from './open-probe.ts';

const router = uniswapDeployment.constantProductRouter;
const probeAbi = parseAbi([
  'struct Claim { bool zeroForOne; uint256 amountIn; uint256 amountOut; }',
  'struct Outcome { bool oneMoreRefused; bool accepted; uint256 routerAmountOut; uint256 reserve0; uint256 reserve1; }',
  'function run(bytes pairCreationCode, address router, uint256 reserve0, uint256 reserve1, Claim[] claims) returns (Outcome[] outcomes)',
]);

let probe: Probe;

beforeAll(async () => {
  probe = await openProbe('ConstantProductProbe');
});
afterAll(() => probe.evm.close());

it(
  `swaps as UniswapV2Pair does, and as it does with the fees of forks, ${swapCount} times in random pools [Q13]`,
  async () => {
    const experiments = constantProductSettings.chain((settings) =>
      fc.record({
        settings: fc.constant(settings),
        offers: fc.array(offersToConstantProduct(settings), {
          minLength: swapsPerPool,
          maxLength: swapsPerPool,
        }),
      }),
    );
    await compareInRandomPools(experiments, compare);
  },
  comparisonTimeout,
);

it('fills a reserve to the last unit that UniswapV2Pair holds, and no further [Q13]', async () => {
  const settings = { reserve0: 10n ** 30n, reserve1: 10n ** 30n, ...uniswapFee };
  const room = 2n ** 112n - 1n - settings.reserve0;
  await compare({
    settings,
    offers: [
      { zeroForOne: true, amountIn: room + 1n },
      { zeroForOne: true, amountIn: room },
      { zeroForOne: true, amountIn: 1n },
    ],
  });
});

/**
 * Asks the contract for our outputs: it must accept each, refuse one unit more, and end with the reserves
 * that we compute. If the fee is Uniswap's, its router must return the same output.
 */
async function compare({
  settings,
  offers,
}: {
  settings: ConstantProductSettings;
  offers: readonly ExactInput[];
}) {
  let state = constantProductPool(settings);
  const swaps = offers.map((offer) => {
    const swap = simulateConstantProduct(state, offer);
    state = swap.stateAfter;
    return swap;
  });
  const claims = swaps.map(({ amountOut }, index) => ({ ...offers[index]!, amountOut }));
  const { reserve0, reserve1 } = settings;
  const outcomes = decodeFunctionResult({
    abi: probeAbi,
    data: await probe.call(
      encodeFunctionData({
        abi: probeAbi,
        args: [pairWithFee(settings), router, reserve0, reserve1, claims],
      }),
    ),
  });
  for (const [index, { routerAmountOut, ...theirs }] of outcomes.entries()) {
    const { amountOut, stateAfter, shortfall } = swaps[index]!;
    expect(theirs).toEqual({
      oneMoreRefused: true,
      accepted: shortfall === undefined,
      reserve0: stateAfter.reserve0,
      reserve1: stateAfter.reserve1,
    });
    const asksRouter = settings.feeDenominator === 1000n && settings.feeNumerator === 997n;
    if (asksRouter && shortfall !== 'reserve-overflow') expect(amountOut).toBe(routerAmountOut);
  }
}

const uniswapFee = { feeNumerator: 997n, feeDenominator: 1000n };

/**
 * The creation code of the pair, with Uniswap's fee replaced by that of a fork. In the check of K it replaces
 * the 3, the 1000 and the square of 1000, which have one, two and three bytes there.
 */
function pairWithFee({ feeNumerator, feeDenominator }: ConstantProductSettings): Hex {
  const divisor = greatestCommonDivisor(feeNumerator, feeDenominator);
  const denominator = feeDenominator / divisor;
  const fee = denominator - feeNumerator / divisor;
  const push = (value: bigint, bytes: number) =>
    (0x5f + bytes).toString(16) + value.toString(16).padStart(2 * bytes, '0');
  // The first two are followed by the jump into SafeMath's multiplication.
  const multiply = '63ffffffff6121e816';
  return `0x${pair.bytecode
    .replaceAll(push(3n, 1) + multiply, push(fee, 1) + multiply)
    .replaceAll(push(1000n, 2) + multiply, push(denominator, 2) + multiply)
    .replaceAll(push(1000n ** 2n, 3), push(denominator ** 2n, 3))}`;
}

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  return right === 0n ? left : greatestCommonDivisor(right, left % right);
}
