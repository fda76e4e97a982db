import { createRequire } from 'node:module';
import poolManager from '@uniswap/v4-core/out/PoolManager.sol/PoolManager.json' with {
  type: 'json',
};
import { getContractAddress, pad, zeroAddress } from 'viem';
import type { Evm } from '../../src/devchain/evm/open-evm.ts';
import { deployByCreate2, liquidityProvider } from '../../src/devchain/evm/transactions.ts';
import { deployMoreExchanges } from '../../src/devchain/exchanges/deploy-more-exchanges.ts';
import { executorBuilds } from '../../src/swap/executor/executor-builds.ts';

/** Addresses on Ethereum, from our registry and the router's own list. */
export const uniswapV4 = {
  manager: '0x000000000004444c5dc75cB358380D2e3dE08A90',
  stateView: '0x7fFE42C4a5DEeA5b0feC41C94C136Cf115597227',
  quoter: '0x52F0E24D1c21C8A0cB1e5a5dD6198556BD9E1203',
} as const;

/** Places Uniswap V4 on the chain, with a contract that provides liquidity and our executor, which trades in its pools. */
export async function placeUniswapV4(evm: Evm): Promise<void> {
  await deployMoreExchanges(evm);
  await deployByCreate2(evm, executorBuilds[0].deploymentData);
  // The manager's code holds the address that it was created at, and it refuses calls at any other.
  const from = zeroAddress;
  const madeAt = getContractAddress({ from, nonce: 0n }).slice(2).toLowerCase();
  const code = await create(
    evm,
    `${poolManager.bytecode.object}${pad(liquidityProvider).slice(2)}`,
  );
  const moved = code.replaceAll(madeAt, uniswapV4.manager.slice(2).toLowerCase());
  if (moved === code) throw new Error('The code of the manager does not hold its own address.');
  await evm.request({ method: 'hardhat_setCode', params: [uniswapV4.manager, moved] });
}

/** Places the contracts that the router reads V4 pools through. */
export async function placeV4Lenses(evm: Evm): Promise<void> {
  const load = createRequire(import.meta.url);
  for (const [name, address] of [
    ['StateView', uniswapV4.stateView],
    ['V4Quoter', uniswapV4.quoter],
  ] as const) {
    const { bytecode } = load(`@uniswap/v4-periphery/foundry-out/${name}.sol/${name}.json`);
    const code = await create(evm, `${bytecode.object}${pad(uniswapV4.manager).slice(2)}`);
    await evm.request({ method: 'hardhat_setCode', params: [address, code] });
  }
}

/** Runs a contract creation as a call, which changes no state, and returns the runtime code. */
async function create(evm: Evm, data: string): Promise<string> {
  const call = { from: zeroAddress, data };
  return String(await evm.request({ method: 'eth_call', params: [call, 'latest'] }));
}
