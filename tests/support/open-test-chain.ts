import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import {
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1ProviderFactory,
  MineOrdering,
  OSAKA,
} from '@nomicfoundation/edr';
import { hexToBytes } from 'viem';
import { onTestFinished } from 'vitest';
import { testAccount } from '../../src/cli/test-account.ts';
import { parseAddress } from '../../src/swap/address.ts';

const weth9 = createRequire(import.meta.url)('@uniswap/v2-periphery/build/WETH9.json');
const context = new EdrContext();
await context.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory());

/** An EVM behind HTTP on which the test account has Ether and WETH9 is deployed; it closes with the test. */
export async function openTestChain(chainId = 31337) {
  const provider = await context.createProvider(
    L1_CHAIN_TYPE,
    {
      chainId: BigInt(chainId),
      networkId: BigInt(chainId),
      hardfork: OSAKA,
      genesisState: [
        ...l1GenesisState(l1HardforkFromString(OSAKA)),
        { address: hexToBytes(testAccount.address), balance: 10n ** 22n },
      ],
      ownedAccounts: [testAccount.privateKey],
      network: {
        genesisBlockGasLimit: 30_000_000n,
        genesisBlobGas: { gasUsed: 0n, excessGas: 0n },
      },
      mining: { autoMine: true, blockGasLimit: 30_000_000n, memPool: { order: MineOrdering.Fifo } },
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      coinbase: new Uint8Array(20),
      defaultTransactionGasLimit: 10_000_000n,
      initialBaseFeePerGas: 1_000_000_000n,
      initialParentBeaconBlockRoot: new Uint8Array(32),
      minGasPrice: 0n,
      observability: {},
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    { subscriptionCallback: () => {} },
    new ContractDecoder(),
  );
  const answer = async (call: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, params: [], ...call });
    return JSON.parse(String((await provider.handleRequest(text)).data));
  };
  const request = async (method: string, ...params: unknown[]) => {
    const { result, error } = await answer({ method, params });
    if (error) throw new Error(error.message);
    return result;
  };

  const server = createServer(async (incoming, response) => {
    const call = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
    const outcome = { jsonrpc: '2.0', ...(await answer(call)), id: call.id };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(outcome));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const hash = await request('eth_sendTransaction', {
    from: testAccount.address,
    data: `0x${weth9.bytecode}`,
  });
  const { contractAddress } = await request('eth_getTransactionReceipt', hash);
  return {
    rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    weth: parseAddress(contractAddress),
    request,
  };
}
