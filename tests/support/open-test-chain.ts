import weth9 from '@uniswap/v2-periphery/build/WETH9.json' with { type: 'json' };
import { onTestFinished } from 'vitest';
import { testAccount } from '../../src/cli/server/ask-for-quote.ts';
import { openEvm } from '../../src/devchain/evm/open-evm.ts';
import { parseAddress } from '../../src/swap/model.ts';
import { openRpcServer } from './rpc-server.ts';

/** An EVM behind HTTP on which the test account has Ether and WETH9 is deployed; it closes with the test. */
export async function openTestChain(chainId = 31337) {
  const evm = await openEvm({ chainId });
  const server = await openRpcServer(evm);
  onTestFinished(async () => {
    await server.close();
    evm.close();
  });
  const request = async (method: string, ...params: unknown[]) => evm.request({ method, params });
  const hash = await request('eth_sendTransaction', {
    from: testAccount.address,
    data: `0x${weth9.bytecode}`,
  });
  // The receipt exists: the chain mines each transaction at once, and the creation of WETH9 cannot fail.
  const receipt = (await request('eth_getTransactionReceipt', hash)) as { contractAddress: string };
  return { rpcUrl: server.url, weth: parseAddress(receipt.contractAddress), request };
}
