import pancakeFactory from '@pancakeswap/v3-core/artifacts/contracts/PancakeV3Factory.sol/PancakeV3Factory.json' with {
  type: 'json',
};
import pancakePool from '@pancakeswap/v3-core/artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json' with {
  type: 'json',
};
import fc from 'fast-check';
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  pad,
  parseAbi,
} from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compiledContracts } from '../../src/devchain/contracts/compiled-contracts.ts';
import type { Evm } from '../../src/devchain/evm/open-evm.ts';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { sendTransaction } from '../../src/devchain/evm/transactions.ts';
import { exchangeFamily } from '../../src/swap/deployments/define-deployment.ts';
import { settingsWith } from '../support/random-concentrated-pool.ts';
import { compareConcentrated, concentratedExperiments } from './compare-concentrated.ts';
import { compareInRandomPools, comparisonTimeout, swapCount } from './comparison-runs.ts';
import { openProbe, type Probe } from './open-probe.ts';

const owner = testAccounts[0]!.address;
const poolCode = pancakePool.bytecode as Hex;
let probe: Probe;
let factory: Address;

beforeAll(async () => {
  probe = await openProbe('ConcentratedProbe');
  const input = encodeAbiParameters([{ type: 'bytes' }], [poolCode]);
  const deployer = await create(probe.evm, compiledContracts.PancakePoolDeployer, input);
  factory = await create(probe.evm, pancakeFactory.bytecode as Hex, pad(deployer));
  const abi = parseAbi(['function setOwner(address)']);
  const data = encodeFunctionData({ abi, args: [probe.address] });
  await sendTransaction(probe.evm, { from: owner, to: factory, data });
});
afterAll(() => probe.evm.close());

async function create(evm: Evm, ...code: readonly Hex[]): Promise<Address> {
  const { contractAddress } = await sendTransaction(evm, { from: owner, data: concat(code) });
  // The receipt of a successful creation names the contract.
  return contractAddress as Address;
}

/** The factory's tiers, whose fees have fixed tick spacings, and others that its owner could add. */
const tiers = fc.oneof(
  fc.constantFrom(
    { fee: 100, tickSpacing: 1 },
    { fee: 500, tickSpacing: 10 },
    { fee: 2500, tickSpacing: 50 },
    { fee: 10_000, tickSpacing: 200 },
  ),
  fc.record({
    fee: fc.constantFrom(0, 1, 250, 3000, 80_000, 999_999),
    tickSpacing: fc.constantFrom(1, 2, 7, 60, 1001, 16_383),
  }),
);

it('is the code that every chain has pools of [Q26]', () => {
  expect(keccak256(poolCode)).toBe(exchangeFamily.pancakeswapV3.initCodeHash);
});

it(
  `swaps as PancakeV3Pool does, ${swapCount} times in random pools [Q13] [Q26]`,
  async () => {
    await compareInRandomPools(concentratedExperiments(settingsWith(tiers), [0]), (experiment) =>
      compareConcentrated({ probe, factory }, experiment),
    );
  },
  comparisonTimeout,
);
