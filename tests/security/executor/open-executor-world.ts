import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  maxUint256,
  numberToHex,
  parseAbi,
  type RpcTransactionReceipt,
} from 'viem';
import type { Evm } from '../../../src/devchain/evm/open-evm.ts';
import {
  deployByCreate2,
  impersonate,
  sendTransaction,
} from '../../../src/devchain/evm/transactions.ts';
import { deployPermit2 } from '../../../src/devchain/exchanges/deploy-more-exchanges.ts';
import { deployUniswap } from '../../../src/devchain/exchanges/deploy-uniswap.ts';
import { uniswapDeployment } from '../../../src/devchain/known-exchanges.ts';
import { addConcentratedPool } from '../../../src/devchain/pools/add-concentrated-pool.ts';
import {
  addConstantProductPool,
  sortTokens,
} from '../../../src/devchain/pools/add-constant-product-pool.ts';
import { createToken, giveTokens } from '../../../src/devchain/tokens.ts';
import { executorBuilds } from '../../../src/swap/executor/executor-builds.ts';
import { permit2Address } from '../../../src/swap/permit.ts';
import { openTestEvm } from '../../support/open-test-evm.ts';
import { addPoolsOfEveryKind } from './add-pools-of-every-kind.ts';
import { type breakages, compileBroken } from './broken-builds.ts';
import { compileContract } from './compile-contract.ts';
import type { WorldPool } from './world-pool.ts';

const whole = 10n ** 18n;

/** Runs programs. */
export const payer: Address = `0x${'a1'.repeat(20)}`;
/** Has given the executors unlimited allowances, and never calls them. */
export const victim: Address = `0x${'b2'.repeat(20)}`;
export const recipient: Address = `0x${'c3'.repeat(20)}`;

export type ExecutorWorld = Awaited<ReturnType<typeof openExecutorWorld>>;

/**
 * Wrapped ether and three tokens, with a pair and a V3 pool between each two, and both builds of the executor. `withEveryKind`
 * adds pools of all other kinds that the development chain has, and the share of a vault as a fifth token.
 */
export async function openExecutorWorld({ withEveryKind = false } = {}) {
  const evm = await openTestEvm({ chainId: 1 });
  await deployUniswap(evm);
  for (const { deploymentData } of executorBuilds) await deployByCreate2(evm, deploymentData);
  const broken = process.env.TEST_BROKEN_EXECUTOR;
  if (broken !== undefined) {
    const code = compileBroken(broken as keyof typeof breakages); // an unknown name throws
    for (const { address } of executorBuilds) {
      await evm.request({ method: 'hardhat_setCode', params: [address, code] });
    }
  }
  const wrapped = { address: uniswapDeployment.wrappedNative, ...namedToken('WETH') };
  const first = [
    wrapped,
    await createToken(evm, namedToken('ONE')),
    await createToken(evm, namedToken('TWO')),
    await createToken(evm, namedToken('THREE')),
  ] as const;
  const tokens: Address[] = first.map(({ address }) => address);
  const pools: WorldPool[] = [];
  for (const [index, one] of tokens.entries()) {
    for (const other of tokens.slice(index + 1)) pools.push(...(await addPools(evm, one, other)));
  }
  const holders = [payer, victim];
  for (const account of holders) await impersonate(evm, account);
  for (const token of tokens) await giveTokens(evm, { token, holders, amount: 1_000n * whole });
  if (withEveryKind) {
    const added = await addPoolsOfEveryKind(evm, first);
    pools.push(...added.pools);
    tokens.push(added.share.address);
    await giveShares(evm, { vault: added.share.address, asset: first[1].address, holders });
    await deployPermit2(evm);
  }
  const spenders = [...executorBuilds.map(({ address }) => address), permit2Address];
  for (const account of holders) {
    for (const token of tokens) {
      for (const address of spenders) await approve(evm, { account, token, address });
    }
  }
  return { evm, tokens, pools, ...accessTo(evm) };
}

async function addPools(evm: Evm, one: Address, other: Address): Promise<WorldPool[]> {
  const [token0, token1] = sortTokens(one, other);
  const sorted = [token0, token1] as const;
  const amount = 10_000n * whole;
  const pair = await addConstantProductPool(evm, { tokens: sorted, reserves: [amount, amount] });
  const concentrated = await addConcentratedPool(evm, {
    token0,
    token1,
    fee: 3000,
    sqrtPriceX96: 1n << 96n,
    positions: [{ tickLower: -60, tickUpper: 60, amount0: amount, amount1: amount }],
  });
  return [
    { address: pair, kind: 0, record: 'constant-product', extra: '0x26f2', tokens: sorted },
    { address: concentrated, kind: 1, record: 'concentrated', extra: '0x', tokens: sorted },
  ];
}

function namedToken(symbol: string) {
  return { symbol, name: symbol, decimals: 18 };
}

/** Deposits the asset for each holder, who gets as many shares, or a little fewer. */
async function giveShares(
  evm: Evm,
  { vault, asset, holders }: { vault: Address; asset: Address; holders: readonly Address[] },
): Promise<void> {
  for (const account of holders) {
    await giveTokens(evm, { token: asset, holders: [account], amount: 1_000n * whole });
    await approve(evm, { account, token: asset, address: vault });
    const args = [1_000n * whole, account] as const;
    const data = encodeFunctionData({ abi: vaultAbi, args });
    await sendTransaction(evm, { from: account, to: vault, data });
  }
}

const vaultAbi = parseAbi(['function deposit(uint256 assets, address receiver)']);

async function approve(
  evm: Evm,
  { account, token, address }: { account: Address; token: Address; address: Address },
): Promise<void> {
  const args = [address, maxUint256] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  await sendTransaction(evm, { from: account, to: token, data });
}

function accessTo(evm: Evm) {
  const call = async (to: Address, data: Hex) =>
    (await evm.request({ method: 'eth_call', params: [{ to, data }, 'latest'] })) as Hex;
  return {
    async balanceOf(token: Address, holder: Address): Promise<bigint> {
      const args = [holder] as const;
      return hexToBigInt(
        await call(token, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })),
      );
    },
    async ether(holder: Address): Promise<bigint> {
      const balance = await evm.request({ method: 'eth_getBalance', params: [holder, 'latest'] });
      return hexToBigInt(balance as Hex);
    },
    /** Sends a transaction. Returns whether it succeeded, and the reason if not. */
    async send(transaction: { from?: Address; to: Address; data: Hex; value?: bigint }) {
      const { from = payer, to, data, value = 0n } = transaction;
      const sent = { from, to, data, value: numberToHex(value), gas: numberToHex(5_000_000) };
      const hash = await evm.request({ method: 'eth_sendTransaction', params: [sent] });
      const receipt = (await evm.request({
        method: 'eth_getTransactionReceipt',
        params: [hash],
      })) as RpcTransactionReceipt;
      return receipt.status === '0x1';
    },
    /** Why a call reverts; undefined if it succeeds. */
    async refusal(transaction: { from?: Address; to: Address; data: Hex }) {
      const { from = payer, to, data } = transaction;
      try {
        await evm.request({ method: 'eth_call', params: [{ from, to, data }, 'latest'] });
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
    /** Does something and then reverts the chain to its state before. */
    async undone<T>(work: () => Promise<T>): Promise<T> {
      const snapshot = await evm.request({ method: 'evm_snapshot' });
      try {
        return await work();
      } finally {
        await evm.request({ method: 'evm_revert', params: [snapshot] });
      }
    },
    async deployScriptedPool(): Promise<Address> {
      const { contractAddress } = await sendTransaction(evm, {
        from: payer,
        data: compileContract('ScriptedPool'),
      });
      return contractAddress!;
    },
    /** Tells a scripted pool what to do when it is called by this selector. */
    async script(pool: Address, selector: Hex, steps: readonly Step[], answer: Hex): Promise<void> {
      const args = [
        selector,
        steps.map((step) => ({ mustSucceed: true, ...step })),
        answer,
      ] as const;
      const data = encodeFunctionData({ abi: scriptAbi, functionName: 'script', args });
      await sendTransaction(evm, { from: payer, to: pool, data });
    },
    /** Whether each call that a scripted pool made succeeded. */
    async outcomes(pool: Address): Promise<boolean[]> {
      const read = async (data: Hex) => hexToBigInt(await call(pool, data));
      const count = await read(
        encodeFunctionData({ abi: scriptAbi, functionName: 'outcomeCount' }),
      );
      return Promise.all(
        Array.from({ length: Number(count) }, async (_, index) => {
          const args = [BigInt(index)] as const;
          return (
            (await read(encodeFunctionData({ abi: scriptAbi, functionName: 'outcomes', args }))) ===
            1n
          );
        }),
      );
    },
  };
}

export type Step = { readonly target: Address; readonly data: Hex; readonly mustSucceed?: boolean };

const scriptAbi = parseAbi([
  'struct Step { address target; bytes data; bool mustSucceed; }',
  'function script(bytes4 selector, Step[] todo, bytes answer)',
  'function outcomes(uint256 index) view returns (bool)',
  'function outcomeCount() view returns (uint256)',
]);
