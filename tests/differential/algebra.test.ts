import { readFileSync } from 'node:fs';
import factoryV1 from '@cryptoalgebra/v1-core/artifacts/contracts/AlgebraFactory.sol/AlgebraFactory.json' with {
  type: 'json',
};
import poolV1 from '@cryptoalgebra/v1-core/artifacts/contracts/AlgebraPool.sol/AlgebraPool.json' with {
  type: 'json',
};
import poolDeployerV1 from '@cryptoalgebra/v1-core/artifacts/contracts/AlgebraPoolDeployer.sol/AlgebraPoolDeployer.json' with {
  type: 'json',
};
import fc from 'fast-check';
import {
  type Address,
  concat,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  parseAbiParameters,
} from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { sendTransaction } from '../../src/devchain/evm/transactions.ts';
import { parseAddress } from '../../src/swap/model.ts';
import {
  type AlgebraGeneration,
  type AlgebraState,
  discoverAlgebra,
} from '../../src/swap/pools/concentrated/algebra.ts';
import { simulateConcentrated } from '../../src/swap/pools/concentrated/simulate.ts';
import {
  MAX_SQRT_RATIO,
  MIN_SQRT_RATIO,
  sqrtRatioAtTick,
} from '../../src/swap/pools/concentrated/ticks.ts';
import type { ExactInput } from '../../src/swap/pools/pool.ts';
import { readPools } from '../../src/swap/pools/read-pools.ts';
import { openChainReader } from '../support/chain-reader.ts';
import { type ConcentratedSettings, concentratedPool } from '../support/concentrated-pool.ts';
import { offersToConcentrated, settingsWith } from '../support/random-concentrated-pool.ts';
import { openRpcServer } from '../support/rpc-server.ts';
import { testsWith } from '../support/tests-with.ts';
import {
  compareInRandomPools,
  comparisonTimeout,
  swapCount,
  swapsPerPool,
} from './comparison-runs.ts';
import { openProbe, type Probe } from './open-probe.ts';

const probeAbi = parseAbi([
  'struct Position { int24 tickLower; int24 tickUpper; uint128 liquidity; }',
  'struct PriceLimits { uint160 lowest; uint160 highest; }',
  'struct PoolSettings { uint24 fee; int24 tickSpacing; uint160 sqrtPriceX96; Position[] positions; PriceLimits limits; }',
  'struct Offer { bool zeroForOne; uint256 amountIn; }',
  'struct PoolState { uint160 sqrtPriceX96; int24 tick; uint128 liquidity; uint16 fee; }',
  'struct Outcome { bool refused; uint256 amountIn; uint256 amountOut; uint256 amountOutAgain; PoolState stateAfter; }',
  'function prepare(address factory, uint160 sqrtPriceX96)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function runPrepared(address factory, PoolSettings settings, Offer[] offers) returns (PoolState initial, Outcome[] outcomes)',
  'function runIntegral(address factory, PoolSettings settings, Offer[] offers) returns (PoolState initial, Outcome[] outcomes)',
]);
const factoryAbi = parseAbi([
  'function setFactory(address)',
  'function setOwner(address)',
  'function transferOwnership(address)',
  'function setBaseFeeConfiguration(uint16 alpha1, uint16 alpha2, uint32 beta1, uint32 beta2, uint16 gamma1, uint16 gamma2, uint32 volumeBeta, uint16 volumeGamma, uint16 baseFee)',
]);
const from = testAccounts[0]!.address;

type Experiment = {
  readonly settings: ConcentratedSettings;
  readonly offers: readonly ExactInput[];
};

function experimentsWith(settings: fc.Arbitrary<ConcentratedSettings>): fc.Arbitrary<Experiment> {
  return settings.chain((pool) =>
    fc.record({
      settings: fc.constant(pool),
      offers: fc.array(offersToConcentrated(pool), {
        minLength: swapsPerPool,
        maxLength: swapsPerPool,
      }),
    }),
  );
}

let probe: Probe;

beforeAll(async () => {
  probe = await openProbe('AlgebraProbe');
});
afterAll(() => probe.evm.close());

describe('a pool of Algebra V1', () => {
  /** Factories, each with pools of another price and another base fee. */
  const made: { readonly factory: Address; readonly tick: number }[] = [];

  beforeAll(async () => {
    for (const [baseFee, tick] of [
      [100, 0],
      [3000, -276_330],
      [30_000, 200_000],
      [1, 61],
    ] as const) {
      const factory = await createV1(baseFee);
      const args = [factory, sqrtRatioAtTick(tick)] as const;
      await send(
        probe.address,
        encodeFunctionData({ abi: probeAbi, functionName: 'prepare', args }),
      );
      made.push({ factory, tick });
    }
    // The first swap of a later second computes the fee again.
    await probe.evm.request({ method: 'evm_increaseTime', params: [3600] });
    await probe.evm.request({ method: 'evm_mine', params: [] });
  });

  it(
    `swaps as AlgebraPool of V1 does, at the fee it shows in the middle of a swap, ${swapCount} times [Q26]`,
    async () => {
      const spaced = settingsWith(fc.constant({ fee: 0, tickSpacing: 60 }));
      const experiments = fc.tuple(fc.nat(made.length - 1), experimentsWith(spaced));
      await compareInRandomPools(experiments, ([index, { settings, offers }]) => {
        const { factory, tick } = made[index]!;
        return compare({
          functionName: 'runPrepared',
          factory,
          settings: movedTo(tick, settings),
          offers,
        });
      });
    },
    comparisonTimeout,
  );

  it('is read with the ticks around its price and the fee of its next swap [Q26]', async () => {
    const { factory, tick } = made[1]!;
    await compareRead({ functionName: 'runPrepared', generation: 'v1', factory, tick });
  });
});

testsWith('contracts').describe('a pool of Algebra Integral', () => {
  let factory: Address;

  beforeAll(async () => {
    factory = await createIntegral();
  });

  it(
    `swaps as AlgebraPool of Integral does, ${swapCount} times [Q26]`,
    async () => {
      const tiers = fc.record({
        fee: fc.constantFrom(1, 100, 500, 3000, 49_999),
        tickSpacing: fc.constantFrom(1, 5, 60, 200, 500),
      });
      const experiments = experimentsWith(settingsWith(tiers).map(withinIntegral));
      await compareInRandomPools(experiments, (experiment) =>
        compare({ functionName: 'runIntegral', factory, ...experiment }),
      );
    },
    comparisonTimeout,
  );

  it('is read with the ticks around its price and the fee of its next swap [Q26]', async () => {
    await compareRead({ functionName: 'runIntegral', generation: 'integral', factory, tick: 0 });
  });
});

/** Trades in a pool, without reverting, reads it, and compares swaps in the state that was read with the pool's own. */
async function compareRead({
  functionName,
  generation,
  factory,
  tick,
}: {
  readonly functionName: 'runPrepared' | 'runIntegral';
  readonly generation: AlgebraGeneration;
  readonly factory: Address;
  readonly tick: number;
}) {
  const base = Math.floor(tick / 60) * 60;
  const settings = {
    fee: 700,
    tickSpacing: 60,
    sqrtPriceX96: sqrtRatioAtTick(tick),
    positions: [
      { tickLower: base - 600, tickUpper: base + 660, liquidity: 10n ** 17n },
      { tickLower: base - 60, tickUpper: base + 120, liquidity: 5n * 10n ** 17n },
    ],
  };
  const limits = limitsOf(settings);
  const offers = [true, false, true].map((zeroForOne) => ({ zeroForOne, amountIn: 10n ** 13n }));
  const run = (positions: typeof settings.positions) =>
    encodeFunctionData({
      abi: probeAbi,
      functionName,
      args: [factory, { ...settings, positions, limits }, offers],
    });
  await send(probe.address, run(settings.positions));

  const state = await readPool(factory, generation);
  if (generation === 'integral') {
    // A run creates its pool, which exists by now. So only the state that was read is checked.
    expect(state).toMatchObject({ fee: 700, hasTickTree: true });
    expect(state.ticks.map(({ index }) => index)).toEqual([-600, -60, 120, 660]);
    return;
  }
  const [, outcomes] = decodeFunctionResult({
    abi: probeAbi,
    functionName,
    data: await probe.call(run([])),
  });
  let ours = state;
  for (const [index, offer] of offers.entries()) {
    const swap = simulateConcentrated(ours, offer);
    expect(swap.amountOut).toBe(outcomes[index]!.amountOut);
    expect(ours.fee).toBe(outcomes[index]!.stateAfter.fee);
    ours = swap.stateAfter;
  }
}

async function readPool(factory: Address, generation: AlgebraGeneration): Promise<AlgebraState> {
  const bytecode = generation === 'v1' ? (poolV1.bytecode as Hex) : integralCode('AlgebraPool');
  const [pool] = discoverAlgebra(
    {
      name: 'algebra',
      kind: 'algebra',
      factory: parseAddress(factory),
      poolDeployer: parseAddress(poolDeployers.get(factory)!),
      initCodeHash: keccak256(bytecode),
      generation,
      source: 'this test',
    },
    { tokens: [await tokenOf('token1'), await tokenOf('token0')] },
  );
  const server = await openRpcServer(probe.evm);
  const { reader, close } = openChainReader({ urls: [server.url], chainId: 31337 });
  const block = await reader.latestBlock();
  const readings = await readPools(reader, { queries: [{ pool: pool! }], block });
  await close();
  await server.close();
  const state = readings.get(pool!.id);
  if (typeof state !== 'object') throw new Error(`The pool is ${state}.`);
  return state as AlgebraState;
}

async function tokenOf(functionName: 'token0' | 'token1') {
  const data = await probe.call(encodeFunctionData({ abi: probeAbi, functionName }));
  return parseAddress(decodeFunctionResult({ abi: probeAbi, functionName, data }));
}

/** The pool deployers by their factories. */
const poolDeployers = new Map<Address, Address>();

async function compare({
  functionName,
  factory,
  settings,
  offers,
}: Experiment & {
  readonly functionName: 'runPrepared' | 'runIntegral';
  readonly factory: Address;
}) {
  const args = [factory, { ...settings, limits: limitsOf(settings) }, offers] as const;
  const [{ fee, ...initial }, outcomes] = decodeFunctionResult({
    abi: probeAbi,
    functionName,
    data: await probe.call(encodeFunctionData({ abi: probeAbi, functionName, args })),
  });
  if (functionName === 'runIntegral') expect(fee).toBe(settings.fee);
  const hasTickTree = functionName === 'runIntegral';
  let state = { ...concentratedPool({ ...settings, fee }), hasTickTree };
  expect(state).toMatchObject(initial);
  for (const [index, offer] of offers.entries()) {
    const ours = simulateConcentrated(state, offer);
    const { stateAfter, ...theirs } = outcomes[index]!;
    // A pool keeps or refuses an input that is too small for any output. In both cases ours takes nothing.
    const givesNothing = theirs.refused || theirs.amountOut === 0n;
    const { sqrtPriceX96, tick, liquidity } = stateAfter;
    expect(ours).toMatchObject({
      amountInUsed: givesNothing ? 0n : theirs.amountIn,
      amountOut: theirs.amountOut,
      stateAfter: { sqrtPriceX96, tick, liquidity },
    });
    expect(theirs.amountOutAgain).toBe(theirs.amountOut);
    if (!givesNothing) expect(stateAfter.fee).toBe(fee);
    expect(ours.shortfall === undefined).toBe(!givesNothing && theirs.amountIn === offer.amountIn);
    state = ours.stateAfter;
  }
}

/** The same pool at another price. */
function movedTo(tick: number, settings: ConcentratedSettings): ConcentratedSettings {
  const { tickSpacing } = settings;
  const center = Math.round(concentratedPool(settings).tick / tickSpacing) * tickSpacing;
  const distance = Math.floor(tick / tickSpacing) * tickSpacing - center;
  const outermost = Math.floor(887_272 / tickSpacing) * tickSpacing;
  const move = (end: number) => Math.max(-outermost, Math.min(outermost, end + distance));
  return {
    ...settings,
    sqrtPriceX96: sqrtRatioAtTick(tick),
    positions: settings.positions
      .map(({ tickLower, tickUpper, liquidity }) => ({
        tickLower: move(tickLower),
        tickUpper: move(tickUpper),
        liquidity,
      }))
      .filter(({ tickLower, tickUpper }) => tickLower < tickUpper),
  };
}

/** Integral counts its balance of each token in `uint128`, and refuses pools that need more. */
function withinIntegral(settings: ConcentratedSettings): ConcentratedSettings {
  const { tick } = concentratedPool(settings);
  const near = Math.abs(tick) > 300_000 ? movedTo(Math.sign(tick) * 200_000, settings) : settings;
  return {
    ...near,
    positions: near.positions.map(({ liquidity, ...ends }) => ({
      ...ends,
      liquidity: (liquidity % 2n ** 60n) + 1n,
    })),
  };
}

/** As in the comparison with Uniswap V3, keeps swaps from walking through thousands of empty words. */
function limitsOf({ tickSpacing, positions }: ConcentratedSettings) {
  const widest = { lowest: MIN_SQRT_RATIO + 1n, highest: MAX_SQRT_RATIO - 1n };
  if (tickSpacing >= 200) return widest;
  const lowest = sqrtRatioAtTick(Math.min(...positions.map(({ tickLower }) => tickLower))) - 1n;
  const highest = sqrtRatioAtTick(Math.max(...positions.map(({ tickUpper }) => tickUpper))) + 1n;
  return {
    lowest: lowest > widest.lowest ? lowest : widest.lowest,
    highest: highest < widest.highest ? highest : widest.highest,
  };
}

async function createV1(baseFee: number): Promise<Address> {
  const poolDeployer = await create(poolDeployerV1.bytecode as Hex);
  const args = encodeAbiParameters(parseAbiParameters('address, address'), [poolDeployer, from]);
  const factory = await create(concat([factoryV1.bytecode as Hex, args]));
  poolDeployers.set(factory, poolDeployer);
  await send(
    poolDeployer,
    encodeFunctionData({ abi: factoryAbi, functionName: 'setFactory', args: [factory] }),
  );
  const fees = [2900, 12_000, 360, 60_000, 59, 8500, 0, 10, baseFee] as const;
  await send(
    factory,
    encodeFunctionData({ abi: factoryAbi, functionName: 'setBaseFeeConfiguration', args: fees }),
  );
  return factory;
}

/** Factory and deployer name each other, so the address of the second is computed in advance. */
async function createIntegral(): Promise<Address> {
  const nonce = await probe.evm.request({
    method: 'eth_getTransactionCount',
    params: [from, 'latest'],
  });
  const poolDeployer = getContractAddress({ from, nonce: BigInt(nonce as Hex) + 1n });
  const factory = await create(concat([integralCode('AlgebraFactory'), pad(poolDeployer)]));
  await create(concat([integralCode('AlgebraPoolDeployer'), pad(factory)]));
  poolDeployers.set(factory, poolDeployer);
  await send(
    factory,
    encodeFunctionData({
      abi: factoryAbi,
      functionName: 'transferOwnership',
      args: [probe.address],
    }),
  );
  return factory;
}

function integralCode(contract: string): Hex {
  const path = `./contracts/node_modules/@cryptoalgebra/integral-core/artifacts/contracts/${contract}.sol/${contract}.json`;
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).bytecode;
}

async function create(data: Hex): Promise<Address> {
  const { contractAddress } = await sendTransaction(probe.evm, { from, data });
  return contractAddress as Address;
}

function send(to: Address, data: Hex) {
  return sendTransaction(probe.evm, { from, to, data });
}
