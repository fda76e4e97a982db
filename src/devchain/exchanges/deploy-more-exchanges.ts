import pancakeFactory from '@pancakeswap/v3-core/artifacts/contracts/PancakeV3Factory.sol/PancakeV3Factory.json' with {
  type: 'json',
};
import pancakePool from '@pancakeswap/v3-core/artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json' with {
  type: 'json',
};
import poolManager from '@uniswap/v4-core/out/PoolManager.sol/PoolManager.json' with {
  type: 'json',
};
import { type Address, concat, encodeAbiParameters, getCreate2Address, type Hex, pad } from 'viem';
import { compiledContracts } from '../contracts/compiled-contracts.ts';
import { deployByCreate2 } from '../evm/deploy-by-create2.ts';
import { liquidityProvider } from '../evm/liquidity-provider.ts';
import type { Evm } from '../evm/open-evm.ts';
import { moreExchanges } from '../more-exchanges.ts';
import { uniswapDeployment } from '../uniswap-deployment.ts';

const salt: Hex = `0x${'0'.repeat(64)}`;

// The packages give the code as hex with its prefix, but typed as any text.
const creations: readonly { readonly address: Address; readonly code: readonly Hex[] }[] = [
  {
    address: moreExchanges.pancakePoolDeployer,
    code: [
      compiledContracts.PancakePoolDeployer,
      encodeAbiParameters([{ type: 'bytes' }], [pancakePool.bytecode as Hex]),
    ],
  },
  {
    address: moreExchanges.pancakeFactory,
    code: [pancakeFactory.bytecode as Hex, pad(moreExchanges.pancakePoolDeployer)],
  },
  {
    address: moreExchanges.poolManager,
    code: [poolManager.bytecode.object as Hex, pad(liquidityProvider)],
  },
  {
    address: moreExchanges.poolProvider,
    code: [compiledContracts.PoolProvider, pad(uniswapDeployment.wrappedNative)],
  },
];

/**
 * Puts PancakeSwap V3 and Uniswap V4 on a chain that has the public CREATE2 deployer. The bytecode is the real
 * one, from their packages; the contract that deploys PancakeSwap's pools is our own. Throws if a contract
 * would get another address than `moreExchanges` says, because its code has changed.
 */
export async function deployMoreExchanges(evm: Evm): Promise<void> {
  for (const { address, code } of creations) {
    const bytecode = concat(code);
    const from = uniswapDeployment.create2Deployer;
    const reached = getCreate2Address({ from, salt, bytecode });
    if (reached !== address) {
      throw new Error(
        `A contract meant for ${address} would be deployed at ${reached}: enter that address.`,
      );
    }
    await deployByCreate2(evm, concat([salt, bytecode]));
  }
}
