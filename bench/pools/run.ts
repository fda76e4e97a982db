/**
 * What one exact swap costs: our simulation, and Uniswap's own SDK on the same pool if it is installed
 * (`npm install --ignore-scripts` in this folder). Both must give the same output before they are measured.
 * Run with `node bench/pools/run.ts`.
 */
import { sqrtRatioAtTick } from '../../src/swap/pools/concentrated/ticks.ts';
import { simulateSwap } from '../../src/swap/pools/pool-kinds.ts';
import { concentratedPool } from '../../tests/support/concentrated-pool.ts';
import { constantProductPool } from '../../tests/support/constant-product-pool.ts';
import type { UniswapState } from '../routing/pool-set.ts';
import { loadUniswapSdk } from './load-uniswap-sdk.ts';

/** Similar to USDC and WETH: twenty nested positions, an initialized tick every 60 on both sides. */
const concentrated = concentratedPool({
  fee: 3000,
  tickSpacing: 60,
  sqrtPriceX96: (sqrtRatioAtTick(197_312) + sqrtRatioAtTick(197_313)) / 2n,
  positions: Array.from({ length: 20 }, (_, index) => ({
    tickLower: 197_280 - 60 * (index + 1),
    tickUpper: 197_280 + 60 * (index + 1),
    liquidity: 10n ** 17n,
  })),
});
const constantProduct = constantProductPool({
  reserve0: 10n ** 13n,
  reserve1: 3n * 10n ** 21n,
  feeNumerator: 997n,
  feeDenominator: 1000n,
});

type Case = { name: string; pool: UniswapState; zeroForOne: boolean; amountIn: bigint };

const cases: Case[] = [
  { name: 'V2', pool: constantProduct, zeroForOne: true, amountIn: 10n ** 9n },
  { name: 'V3, one step', pool: concentrated, zeroForOne: true, amountIn: 10n ** 9n },
  { name: 'V3, one step back', pool: concentrated, zeroForOne: false, amountIn: 10n ** 18n },
  { name: 'V3, ten ticks', pool: concentrated, zeroForOne: true, amountIn: 2_640n * 10n ** 9n },
  {
    name: 'V3, ten ticks back',
    pool: concentrated,
    zeroForOne: false,
    amountIn: 847n * 10n ** 18n,
  },
];

const swapWithSdkIn = loadUniswapSdk();
const rows = [];
for (const { name, pool, ...offer } of cases) {
  // Another amount each time, so that nothing can be cached.
  const ours = await measure(
    40_000,
    (round) => simulateSwap(pool, { ...offer, amountIn: offer.amountIn + round }).amountOut,
  );
  const row = { swap: name, 'ours µs': ours.wall, 'ours cpu µs': ours.cpu };
  if (swapWithSdkIn === undefined || pool.kind !== 'concentrated') {
    rows.push(row);
    continue;
  }
  const swapWithSdk = swapWithSdkIn(pool, offer.zeroForOne);
  const expected = simulateSwap(pool, offer).amountOut;
  const answered = await swapWithSdk(offer.amountIn);
  if (answered !== expected) throw new Error(`${name}: ours ${expected}, SDK ${answered}`);
  const theirs = await measure(200, (round) => swapWithSdk(offer.amountIn + round));
  rows.push({ ...row, 'SDK µs': theirs.wall, 'SDK cpu µs': theirs.cpu });
}
console.table(rows);
if (swapWithSdkIn === undefined)
  console.log('Without the SDK: npm install --ignore-scripts in bench/pools.');

/** The best of five runs by processor time, in microseconds a call, after one run to warm up. */
async function measure(calls: number, call: (round: bigint) => unknown) {
  const runs: { wall: number; cpu: number }[] = [];
  for (let run = 0; run < 6; run++) {
    const cpuBefore = process.cpuUsage();
    const before = performance.now();
    for (let round = 0n; round < calls; round++) await call(round);
    const { user, system } = process.cpuUsage(cpuBefore);
    runs.push({
      wall: ((performance.now() - before) * 1000) / calls,
      cpu: (user + system) / calls,
    });
  }
  const best = runs.slice(1).reduce((left, right) => (left.cpu < right.cpu ? left : right));
  return { wall: Number(best.wall.toFixed(2)), cpu: Number(best.cpu.toFixed(2)) };
}
