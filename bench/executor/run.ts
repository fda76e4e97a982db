import { concat, encodeFunctionData, erc20Abi, type Hex, maxUint256, numberToHex } from 'viem';
import { buildDevchain } from '../../src/devchain/build-devchain.ts';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { sendTransaction } from '../../src/devchain/evm/transactions.ts';
import { moreExchanges, uniswapDeployment } from '../../src/devchain/known-exchanges.ts';
import { devchainPools } from '../../src/devchain/pools/devchain-pools.ts';
import { executorBuilds } from '../../src/swap/executor/executor-builds.ts';
import { type Address, parseAddress } from '../../src/swap/model.ts';
import type { Hop, Path, SwapOrder } from '../../src/swap/swap-order.ts';
import { encodeSwap } from '../../src/swap/transaction/encode-swap.ts';
import { deployFloor } from './deploy-floor.ts';
import {
  allowUniversalRouter,
  deployUniversalRouter,
  encodeForUniversalRouter,
} from './universal-router.ts';

// The gas of whole transactions on the development chain: the same routes through our executor, SwapRouter02 and
// UniversalRouter, each from the same state. As is usual for traders, the sender holds both tokens and has approved all
// routers without limit. The floor of a single hop is a contract that has the pool in its code and checks nothing.

const { evm, tokens, pools } = await buildDevchain({
  chainId: 31337,
  deployments: executorBuilds.map(({ deploymentData }) => deploymentData),
});
const sender = parseAddress(testAccounts[0]?.address ?? '');
const routers = [
  { name: 'executor', kind: 'tradewind', address: executorBuilds[0]?.address },
  { name: 'storage build', kind: 'tradewind', address: executorBuilds[1]?.address },
  { name: 'SwapRouter02', kind: 'swap-router-02', address: uniswapDeployment.swapRouter02 },
] as const;

const token = (symbol: string): Address =>
  parseAddress(tokens.find((one) => one.symbol === symbol)?.address ?? '');

function hop(from: string, to: string, fee?: number): Hop {
  const [tokenIn, tokenOut] = [token(from), token(to)];
  const kind = fee === undefined ? 'constant-product' : 'concentrated';
  const pool = pools.find(
    (one) =>
      one.kind === kind &&
      (fee === undefined || one.fee === fee) &&
      one.tokens.every((held) => held === tokenIn || held === tokenOut),
  );
  return {
    tokenIn,
    tokenOut,
    pool: parseAddress(pool?.address ?? ''),
    leg: fee === undefined ? { version: 2 } : { version: 3, fee },
    step: fee === undefined ? { number: 0, extra: '0x26f2' } : { number: 1, extra: '0x' },
    runsForeignCode: false,
  };
}

/** A hop through PancakeSwap V3, which differs from Uniswap V3 only in its callback. */
function pancakeHop(): Hop {
  const index = devchainPools.findIndex(({ exchange }) => exchange === 'pancakeswap-v3');
  const pool = parseAddress(pools[index]?.address ?? '');
  return { ...hop('WETH', 'USDC', 500), pool, leg: undefined, runsForeignCode: true };
}

/** A hop through Uniswap V4, whose pools are all in one contract. */
function managedHop(): Hop {
  const [tokenIn, tokenOut] = [token('WETH'), token('USDT')];
  const key = [numberToHex(3000, { size: 3 }), numberToHex(60, { size: 3 })];
  const extra = concat(['0x00', ...key, `0x${'00'.repeat(20)}`]);
  return {
    tokenIn,
    tokenOut,
    pool: parseAddress(moreExchanges.poolManager),
    leg: undefined,
    step: { number: 2, extra },
    runsForeignCode: false,
  };
}

const path = (...hops: readonly [Hop, ...Hop[]]): Path => ({ hops, amountIn: 10n ** 18n });
const routes: readonly (readonly [string, SwapOrder['paths']])[] = [
  ['V3 ×1', [path(hop('WETH', 'USDC', 500))]],
  ['V3 ×2', [path(hop('WETH', 'USDC', 500), hop('USDC', 'DAI', 100))]],
  ['V2 ×1', [path(hop('WETH', 'USDC'))]],
  ['V2 ×2', [path(hop('WETH', 'USDC'), hop('USDC', 'DAI'))]],
  ['V2→V3', [path(hop('WETH', 'USDC'), hop('USDC', 'DAI', 100))]],
  ['V3→V2', [path(hop('WETH', 'USDC', 500), hop('USDC', 'DAI'))]],
  [
    'split of 3',
    [path(hop('WETH', 'USDC', 500)), path(hop('WETH', 'USDC', 3000)), path(hop('WETH', 'USDC'))],
  ],
  ['PancakeSwap V3 ×1', [path(pancakeHop())]],
  [
    'V3+PancakeSwap V3+V2',
    [path(hop('WETH', 'USDC', 500)), path(pancakeHop()), path(hop('WETH', 'USDC'))],
  ],
  ['V4 ×1', [path(managedHop())]],
  ['V4+V3+V2', [path(managedHop()), path(hop('WETH', 'USDT', 500)), path(hop('WETH', 'USDT'))]],
];
/** Whether Uniswap's routers, with the encodings used here, can swap in all pools of these paths. */
const isUniswaps = (paths: SwapOrder['paths']) =>
  paths.every(({ hops }) => hops.every(({ leg }) => leg !== undefined));

for (const { address } of routers) {
  const args = [address ?? '0x', maxUint256] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  await sendTransaction(evm, { from: sender, to: token('WETH'), data });
}

async function measure(
  router: (typeof routers)[number],
  paths: SwapOrder['paths'],
  native: boolean,
) {
  const snapshot = await evm.request({ method: 'evm_snapshot' });
  const call = encodeSwap(
    { kind: router.kind, address: parseAddress(router.address ?? ''), exchanges: [], source: '' },
    {
      paths,
      tokenOut: paths[0].hops.at(-1)?.tokenOut ?? sender,
      minAmountOut: 1n,
      sender,
      recipient: sender,
      deadline: 0xffff_ffffn,
      isNativeIn: native,
      isNativeOut: false,
    },
  );
  const { gasUsed } = await sendTransaction(evm, { from: sender, ...call });
  await evm.request({ method: 'evm_revert', params: [snapshot] });
  return { gasUsed, bytes: (call.data.length - 2) / 2 };
}

const universalRouter = await deployUniversalRouter(evm, sender);
await allowUniversalRouter(evm, { from: sender, token: token('WETH'), spender: universalRouter });

async function gasOf(call: { to: Address; data: Hex; value?: bigint }): Promise<string> {
  const snapshot = await evm.request({ method: 'evm_snapshot' });
  const { gasUsed } = await sendTransaction(evm, { from: sender, ...call });
  await evm.request({ method: 'evm_revert', params: [snapshot] });
  return `${gasUsed.toLocaleString('en-US')} (${(call.data.length - 2) / 2} bytes)`;
}

/** The gas of UniversalRouter, which takes tokens only through Permit2, and of the floor. */
async function measureOthers(paths: SwapOrder['paths'], native: boolean): Promise<string[]> {
  const [first] = paths;
  const tokenOut = first.hops.at(-1)?.tokenOut ?? sender;
  if (!isUniswaps(paths)) return ['–', '–'];
  const encoded = encodeForUniversalRouter(paths, { tokenOut, isNative: native });
  const universal = await gasOf({ to: universalRouter, ...encoded });
  if (native || paths.length > 1 || first.hops.length > 1) return [universal, '–'];
  const { amountIn } = first;
  const floor = await deployFloor(evm, { hop: first.hops[0], from: sender, amountIn });
  const args = [floor.to, maxUint256] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  await sendTransaction(evm, { from: sender, to: first.hops[0].tokenIn, data });
  return [universal, await gasOf(floor)];
}

const columns = [...routers.map(({ name }) => name), 'UniversalRouter', 'floor'];
console.log(`| Route | ${columns.join(' | ')} |`);
console.log(`|---|${columns.map(() => '---').join('|')}|`);
for (const native of [false, true]) {
  for (const [name, paths] of routes) {
    const cells: string[] = [];
    for (const router of routers) {
      if (router.kind !== 'tradewind' && !isUniswaps(paths)) {
        cells.push('–');
        continue;
      }
      const { gasUsed, bytes } = await measure(router, paths, native);
      cells.push(`${gasUsed.toLocaleString('en-US')} (${bytes} bytes)`);
    }
    cells.push(...(await measureOthers(paths, native)));
    console.log(`| ${name}${native ? ', native in' : ''} | ${cells.join(' | ')} |`);
  }
}
evm.close();
