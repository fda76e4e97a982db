import type { Hex } from 'viem';
import { uniswapDeployment } from '../uniswap-deployment.ts';
import { liquidityProvider } from './liquidity-provider.ts';
import type { Evm } from './open-evm.ts';
import { sendTransaction } from './send-transaction.ts';

/**
 * Deploys a contract through the public CREATE2 deployer, so that it has the same address as on
 * every chain. `data` is the salt and the creation code after it.
 */
export async function deployByCreate2(evm: Evm, data: Hex): Promise<void> {
  await sendTransaction(evm, {
    from: liquidityProvider,
    to: uniswapDeployment.create2Deployer,
    data,
  });
}
