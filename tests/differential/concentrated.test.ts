import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, it } from 'vitest';
import type { Evm } from '../../src/devchain/evm/open-evm.ts';
import { sendTransaction } from '../../src/devchain/evm/transactions.ts';
import { uniswapDeployment } from '../../src/devchain/known-exchanges.ts';
import { sqrtRatioAtTick } from '../../src/swap/pools/concentrated/ticks.ts';
import { concentratedSettings } from '../support/random-concentrated-pool.ts';
import {
  type ConcentratedExperiment,
  compareConcentrated,
  concentratedExperiments,
} from './compare-concentrated.ts';
import { compareInRandomPools, comparisonTimeout, swapCount } from './comparison-runs.ts';
import { openProbe, type Probe } from './open-probe.ts';
import { widestLimits } from './price-limits.ts';

const factory = uniswapDeployment.concentratedFactory;
const factoryAbi = parseAbi([
  'function owner() view returns (address)',
  'function setOwner(address)',
]);

let probe: Probe;
const compare = (experiment: ConcentratedExperiment) =>
  compareConcentrated({ probe, factory }, experiment);

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
    const experiments = concentratedExperiments(concentratedSettings, [0, 4, 10]);
    await compareInRandomPools(experiments, compare);
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
    // Down from the highest price by ever more, and each time all the way up again.
    offers: Array.from({ length: 40 }, (_, power) => [
      { zeroForOne: true, amountIn: (3n ** 30n) << BigInt(40 + power) },
      { zeroForOne: false, amountIn: 2n ** 200n },
    ]).flat(),
  });
});

/** The factory's owner, who alone may add fee tiers and turn on the protocol fee. */
async function readOwner(evm: Evm): Promise<Address> {
  const owner = { abi: factoryAbi, functionName: 'owner' } as const;
  const call = { to: factory, data: encodeFunctionData(owner) };
  const data = await evm.request({ method: 'eth_call', params: [call, 'latest'] });
  return decodeFunctionResult({ ...owner, data: data as Hex });
}
