import { concat, getCreate2Address } from 'viem';
import { deployByCreate2 } from '../evm/deploy-by-create2.ts';
import type { Evm } from '../evm/open-evm.ts';
import { uniswapDeployment } from '../uniswap-deployment.ts';
import { permit2CreationCode, permit2Salt } from './permit2-code.ts';

/** Its address on every chain. */
const permit2Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

/** Deploys the real code of Permit2 on a chain that has the public CREATE2 deployer. Throws if the code is another. */
export async function deployPermit2(evm: Evm): Promise<void> {
  const reached = getCreate2Address({
    from: uniswapDeployment.create2Deployer,
    salt: permit2Salt,
    bytecode: permit2CreationCode,
  });
  if (reached !== permit2Address) throw new Error(`Permit2 would be deployed at ${reached}.`);
  await deployByCreate2(evm, concat([permit2Salt, permit2CreationCode]));
}
