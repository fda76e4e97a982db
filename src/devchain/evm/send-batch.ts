import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { uniswapDeployment } from '../uniswap-deployment.ts';
import { liquidityProvider } from './liquidity-provider.ts';
import type { Evm } from './open-evm.ts';
import { sendTransaction } from './send-transaction.ts';

export type Call = { readonly to: Address; readonly data: Hex; readonly value?: bigint };

const multicall3Abi = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3Value(Call3Value[] calls) payable returns (Result[])',
]);

/**
 * Makes all the calls in one transaction or none of them. The contracts called see Multicall3 as their
 * caller. Anybody may take what a batch leaves there, so it must pass on all that it takes.
 */
export async function sendBatch(evm: Evm, calls: readonly Call[]): Promise<void> {
  const args = calls.map(({ to, data, value = 0n }) => ({
    target: to,
    allowFailure: false,
    value,
    callData: data,
  }));
  await sendTransaction(evm, {
    from: liquidityProvider,
    to: uniswapDeployment.multicall3,
    value: args.reduce((sum, { value }) => sum + value, 0n),
    data: encodeFunctionData({ abi: multicall3Abi, args: [args] }),
  });
}
