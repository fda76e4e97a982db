import { type Address, encodeFunctionData, erc20Abi, maxUint256 } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendTransaction } from '../../../src/devchain/evm/transactions.ts';
import { uniswapDeployment } from '../../../src/devchain/known-exchanges.ts';
import type { Router } from '../../../src/swap/deployments/deployment.ts';
import { executorBuilds } from '../../../src/swap/executor/executor-builds.ts';
import { parseAddress } from '../../../src/swap/model.ts';
import type { Hop, SwapOrder } from '../../../src/swap/swap-order.ts';
import { encodeSwap } from '../../../src/swap/transaction/encode-swap.ts';
import { type ExecutorWorld, openExecutorWorld, payer } from './open-executor-world.ts';

let world: ExecutorWorld;
beforeAll(async () => {
  world = await openExecutorWorld();
  const args = [uniswapDeployment.swapRouter02, maxUint256] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  await sendTransaction(world.evm, { from: payer, to: world.tokens[0]!, data });
});
afterAll(() => world.evm.close());

const foreign = { kind: 'swap-router-02', address: uniswapDeployment.swapRouter02 } as const;
const builds = executorBuilds.map(({ address }) => ({ kind: 'tradewind', address }) as const);

type Build = (typeof builds)[number];

/** A swap in the pair or the concentrated pool of two tokens of the world. */
function hop(from: number, to: number, kind: number): Hop {
  const [tokenIn, tokenOut] = [from, to].map((index) => parseAddress(world.tokens[index]!));
  const pool = world.pools.find(
    (one) => one.kind === kind && one.tokens.every((held) => held === tokenIn || held === tokenOut),
  )!;
  return {
    tokenIn: tokenIn!,
    tokenOut: tokenOut!,
    pool: parseAddress(pool.address),
    leg: kind === 0 ? { version: 2 } : { version: 3, fee: 3000 },
    step: { number: kind, extra: pool.extra },
    runsForeignCode: false,
  };
}

async function gasBy(
  { kind, address }: { kind: Router['kind']; address: Address },
  hops: readonly [Hop, ...Hop[]],
  { isNativeIn = false } = {},
): Promise<bigint> {
  const order: SwapOrder = {
    paths: [{ hops, amountIn: 10n ** 18n }],
    tokenOut: hops.at(-1)!.tokenOut,
    minAmountOut: 1n,
    sender: parseAddress(payer),
    recipient: parseAddress(payer),
    deadline: 0xffff_ffffn,
    isNativeIn,
    isNativeOut: false,
  };
  const router = { kind, address: parseAddress(address), exchanges: [], source: '' };
  return world.undone(async () => {
    const call = encodeSwap(router, order);
    return (await sendTransaction(world.evm, { from: payer, ...call })).gasUsed;
  });
}

describe('the gas of both builds', () => {
  it('is below that of SwapRouter02, also where slots are in storage [Q25]', async () => {
    const routes: readonly (readonly [Hop, ...Hop[]])[] = [
      [hop(0, 1, 1)],
      [hop(0, 1, 1), hop(1, 2, 1)],
      [hop(0, 1, 0)],
      [hop(0, 1, 0), hop(1, 2, 1)],
    ];
    for (const hops of routes) {
      const most = await gasBy(foreign, hops);
      for (const build of builds) expect(await gasBy(build, hops)).toBeLessThan(most);
    }
  });

  it('saves the slot of the payer for a native input, for which no pool can ask the payer [Q25]', async () => {
    const [transient, storage] = builds as [Build, Build];
    const dearer = async (isNativeIn: boolean) => {
      const hops = [hop(0, 1, 1)] as const;
      const most = await gasBy(storage, hops, { isNativeIn });
      return most - (await gasBy(transient, hops, { isNativeIn }));
    };
    // A slot that is written and then restored costs 2,300 gas after the refund.
    expect((await dearer(false)) - (await dearer(true))).toBeGreaterThan(2_000n);
  });
});
