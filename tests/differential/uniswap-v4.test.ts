import poolManager from '@uniswap/v4-core/out/PoolManager.sol/PoolManager.json' with {
  type: 'json',
};
import fc from 'fast-check';
import {
  type Address,
  concat,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
} from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { sendTransaction } from '../../src/devchain/evm/transactions.ts';
import { parseAddress } from '../../src/swap/model.ts';
import { type UniswapV4State, uniswapV4 } from '../../src/swap/pools/concentrated/uniswap-v4.ts';
import type { ExactInput } from '../../src/swap/pools/pool.ts';
import { type ConcentratedSettings, concentratedPool } from '../support/concentrated-pool.ts';
import { concentratedSettings, offersToConcentrated } from '../support/random-concentrated-pool.ts';
import {
  compareInRandomPools,
  comparisonTimeout,
  swapCount,
  swapsPerPool,
} from './comparison-runs.ts';
import { openProbe, type Probe } from './open-probe.ts';
import { limitsOf, type PriceLimits, widestLimits } from './price-limits.ts';

const owner = testAccounts[0]!.address;
const probeAbi = parseAbi([
  'struct Position { int24 tickLower; int24 tickUpper; uint128 liquidity; }',
  'struct PriceLimits { uint160 lowest; uint160 highest; }',
  'struct PoolSettings { uint24 fee; int24 tickSpacing; uint160 sqrtPriceX96; uint24 protocolFee; bool isNative; Position[] positions; PriceLimits limits; }',
  'struct Offer { bool zeroForOne; uint256 amountIn; }',
  'struct PoolState { uint160 sqrtPriceX96; int24 tick; uint128 liquidity; }',
  'struct Outcome { bool refused; uint256 amountIn; uint256 amountOut; uint256 amountOutAgain; PoolState stateAfter; }',
  'function run(PoolSettings settings, Offer[] offers) returns (bytes32 id, PoolState initial, Outcome[] outcomes)',
  'function transferOwnership(address)',
]);

let probe: Probe;
let manager: Address;

beforeAll(async () => {
  probe = await openProbe('UniswapV4Probe', async (evm) => {
    const code = poolManager.bytecode.object as Hex;
    const { contractAddress } = await sendTransaction(evm, {
      from: owner,
      data: concat([code, pad(owner)]),
    });
    manager = contractAddress as Address;
    return [pad(manager)];
  });
  const args = [probe.address] as const;
  await sendTransaction(probe.evm, {
    from: owner,
    to: manager,
    data: encodeFunctionData({ abi: probeAbi, functionName: 'transferOwnership', args }),
  });
  // Enough for every swap of the native currency, but so little that the sum of all balances does not overflow.
  const params = [probe.address, numberToHex(2n ** 220n)];
  await probe.evm.request({ method: 'hardhat_setBalance', params });
});
afterAll(() => probe.evm.close());

it(
  `swaps as the PoolManager of Uniswap V4 does, ${swapCount} times in random pools [Q13] [Q26]`,
  async () => {
    const protocolFees = fc.constantFrom(0, 1, 400, 1000);
    const experiments = concentratedSettings.map(countable).chain((settings) =>
      fc.record({
        settings: fc.constant(settings),
        protocolFees: fc.tuple(protocolFees, protocolFees),
        isNative: fc.boolean(),
        limits: fc.constant(limitsOf(settings)),
        offers: fc.array(offersToConcentrated(settings), {
          minLength: swapsPerPool,
          maxLength: swapsPerPool,
        }),
      }),
    );
    await compareInRandomPools(experiments, compare);
  },
  comparisonTimeout,
);

it('refuses amounts that the PoolManager of Uniswap V4 cannot count [Q26]', async () => {
  await compare({
    settings: {
      fee: 3000,
      tickSpacing: 16_383,
      sqrtPriceX96: 1n << 96n,
      positions: [{ tickLower: -884_682, tickUpper: 884_682, liquidity: 2n ** 110n }],
    },
    protocolFees: [0, 0],
    isNative: false,
    limits: widestLimits,
    offers: [2n ** 127n, 2n ** 127n - 1n, 2n ** 200n, 10n ** 18n].flatMap((amountIn) => [
      { zeroForOne: true, amountIn },
      { zeroForOne: false, amountIn },
    ]),
  });
});

/** Limits the liquidity so that the manager can count its tokens in `int128`. */
function countable(settings: ConcentratedSettings): ConcentratedSettings {
  const positions = settings.positions.map((position) => {
    const [low, high] = [position.tickLower, position.tickUpper].map(
      (tick) => 1.0001 ** (tick / 2),
    );
    const most = BigInt(Math.floor(2 ** 126 / Math.max(high!, 1 / low!)));
    const { liquidity } = position;
    return { ...position, liquidity: liquidity < most ? liquidity : most };
  });
  return { ...settings, positions };
}

/** Makes the pool, and compares the contract with our arithmetic on the same offers, one after another. */
async function compare(experiment: {
  settings: ConcentratedSettings;
  protocolFees: readonly [number, number];
  isNative: boolean;
  limits: PriceLimits;
  offers: readonly ExactInput[];
}) {
  const { settings, protocolFees, isNative, limits, offers } = experiment;
  const [zeroForOne, oneForZero] = protocolFees;
  const asked = { ...settings, protocolFee: zeroForOne | (oneForZero << 12), isNative, limits };
  const [id, initial, outcomes] = decodeFunctionResult({
    abi: probeAbi,
    functionName: 'run',
    data: await probe.call(
      encodeFunctionData({ abi: probeAbi, functionName: 'run', args: [asked, offers] }),
    ),
  });

  const { kind: _kind, ...made } = concentratedPool(settings);
  const [currency0, currency1] = [made.token0, made.token1];
  const { fee, tickSpacing } = settings;
  let state: UniswapV4State = {
    ...made,
    kind: 'uniswap-v4',
    address: parseAddress(manager),
    key: { hash: id, currency0, currency1, fee, tickSpacing },
    protocolFeeZeroForOne: zeroForOne,
    protocolFeeOneForZero: oneForZero,
  };
  expect(state).toMatchObject(initial);
  for (const [index, offer] of offers.entries()) {
    const ours = uniswapV4.simulate(state, offer);
    const theirs = outcomes[index]!;
    // A pool keeps or refuses an input that is too small for any output. In both cases ours takes nothing.
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
