import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, expect } from 'vitest';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { sendTransaction } from '../../src/devchain/evm/transactions.ts';
import { simulateCurve } from '../../src/swap/pools/curve/simulate.ts';
import { curvePool } from '../support/curve-pool.ts';
import { powersOfTwoTimes } from '../support/random-amounts.ts';
import { testsWith } from '../support/tests-with.ts';
import {
  compareInRandomPools,
  comparisonTimeout,
  swapCount,
  swapsPerPool,
} from './comparison-runs.ts';
import { openProbe, type Probe } from './open-probe.ts';

const { describe, it } = testsWith('contracts');

const probeAbi = parseAbi([
  'struct Offer { uint8 sold; uint8 bought; uint256 amountIn; }',
  'struct Outcome { bool refused; uint256 amountOut; uint256[4] balances; }',
  'function create(bytes creationCode, uint256 amplification, uint256 fee, uint256 adminFee)',
  'function settle()',
  'function run(uint256 index, uint256[4] amounts, Offer[] offers) returns (Outcome[] outcomes)',
]);

/** The coins that the compiled pool is for. */
const decimals = [18, 6, 6, 18] as const;

const pools = [
  { amplification: 1n, fee: 0n, adminFee: 0n },
  { amplification: 100n, fee: 4_000_000n, adminFee: 5_000_000_000n },
  { amplification: 256n, fee: 1_234_567n, adminFee: 333_333_333n },
  { amplification: 5000n, fee: 30_000_000n, adminFee: 5_000_000_000n },
] as const;

type Offer = { readonly sold: number; readonly bought: number; readonly amountIn: bigint };
type Experiment = {
  readonly index: number;
  readonly amounts: readonly [bigint, bigint, bigint, bigint];
  readonly offers: readonly Offer[];
};

/** From a thousand to a trillion of each coin, one up to 2⁸ times the other. */
const amounts = fc
  .tuple(
    fc.integer({ min: 10, max: 40 }),
    fc.array(fc.double({ min: 0, max: 8, noNaN: true }), { minLength: 4, maxLength: 4 }),
  )
  .map(
    ([size, skews]) =>
      decimals.map(
        (digits, coin) => BigInt(Math.floor(2 ** (size + skews[coin]!))) * 10n ** BigInt(digits),
      ) as [bigint, bigint, bigint, bigint],
  );

const experiments: fc.Arbitrary<Experiment> = fc
  .record({ index: fc.nat(pools.length - 1), amounts })
  .chain((pool) =>
    fc.record({
      index: fc.constant(pool.index),
      amounts: fc.constant(pool.amounts),
      offers: fc.array(offersTo(pool.amounts), {
        minLength: swapsPerPool,
        maxLength: swapsPerPool,
      }),
    }),
  );

function offersTo(balances: readonly bigint[]): fc.Arbitrary<Offer> {
  return fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 3 })).chain(([sold, distance]) =>
    fc.record({
      sold: fc.constant(sold),
      bought: fc.constant((sold + distance) % 4),
      amountIn: fc.oneof(
        { weight: 1, arbitrary: fc.bigInt(1n, 5000n) },
        { weight: 8, arbitrary: powersOfTwoTimes(balances[sold]!, [-30, 5]) },
      ),
    }),
  );
}

describe('a pool of Curve', () => {
  let probe: Probe;

  beforeAll(async () => {
    probe = await openProbe('CurveProbe');
    const creationCode = readCreationCode();
    for (const { amplification, fee, adminFee } of pools) {
      const args = [creationCode, amplification, fee, adminFee] as const;
      await send(encodeFunctionData({ abi: probeAbi, functionName: 'create', args }));
    }
    await probe.evm.request({ method: 'evm_increaseTime', params: [3 * 86_400] });
    await send(encodeFunctionData({ abi: probeAbi, functionName: 'settle' }));
  });
  afterAll(() => probe.evm.close());

  it(
    `exchanges as StableSwap does, ${swapCount} times [Q26]`,
    () => compareInRandomPools(experiments, compare),
    comparisonTimeout,
  );

  function send(data: Hex) {
    return sendTransaction(probe.evm, { from: testAccounts[0]!.address, to: probe.address, data });
  }

  async function compare({ index, amounts: balances, offers }: Experiment) {
    const run = { abi: probeAbi, functionName: 'run' } as const;
    const outcomes = decodeFunctionResult({
      ...run,
      data: await probe.call(
        encodeFunctionData({ ...run, args: [BigInt(index), balances, offers] }),
      ),
    });
    let state = curvePool({ ...pools[index]!, balances, decimals });
    for (const [position, { sold, bought, amountIn }] of offers.entries()) {
      const ours = simulateCurve(
        { ...state, index0: sold, index1: bought },
        { zeroForOne: true, amountIn },
      );
      expect({ ...outcomes[position]! }).toEqual({
        refused: ours.shortfall !== undefined,
        amountOut: ours.amountOut,
        balances: ours.stateAfter.balances,
      });
      state = ours.stateAfter;
    }
  }
});

function readCreationCode(): Hex {
  const path =
    './contracts/node_modules/@setprotocol/set-protocol-v2/external/abi/curve/Stableswap.json';
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).bytecode;
}
