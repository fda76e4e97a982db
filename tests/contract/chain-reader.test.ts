import { openEvm } from '../../src/devchain/evm/open-evm.ts';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import {
  type ChainReaderHarness,
  describeChainReader,
} from '../../src/swap/chain/chain-reader.contract.ts';
import type { ChainReader } from '../../src/swap/chain/chain-reader.ts';
import { createJsonRpcChainReader } from '../../src/swap/chain/json-rpc/json-rpc-chain-reader.ts';
import { createRpcTransport } from '../../src/swap/chain/json-rpc/rpc-transport.ts';
import type { Address } from '../../src/swap/model.ts';
import { openRpcServer } from '../support/rpc-server.ts';

const address = (byte: string) => `0x${byte.repeat(20)}` as Address;
const contracts = { answering: address('a1'), reverting: address('a2'), logging: address('a3') };
const topic = `0x${'7'.padStart(64, '0')}` as const;
const codes = {
  // PUSH1 0 SLOAD PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN
  answering: '0x60005460005260206000f3',
  // PUSH4 deadbeef PUSH1 0 MSTORE PUSH1 4 PUSH1 28 REVERT
  reverting: '0x63deadbeef6000526004601cfd',
  // PUSH1 7 PUSH1 0 PUSH1 0 LOG1 STOP
  logging: '0x600760006000a100',
};

/** A small chain behind HTTP, and a reader of it. The chain has no Multicall3 and another chain id than ours. */
async function openChain() {
  const evm = await openEvm({ chainId: 1 });
  const rpc = (method: string, ...params: unknown[]) => evm.request({ method, params });
  for (const [name, code] of Object.entries(codes)) {
    await rpc('hardhat_setCode', contracts[name as keyof typeof contracts], code);
  }
  await rpc('hardhat_setStorageAt', contracts.answering, '0x0', topic);
  await rpc('eth_sendTransaction', { from: testAccounts[0]!.address, to: contracts.logging });
  const server = await openRpcServer(evm);
  const transport = createRpcTransport();
  const reader = createJsonRpcChainReader({
    chainId: 1,
    endpointUrls: () => [server.url],
    transport,
    clock: systemClock,
  });
  const close = async () => {
    await transport.close();
    await server.close();
    evm.close();
  };
  return { reader, close };
}

async function openHarness(
  wrap: (reader: ChainReader) => ChainReaderHarness['read'],
): Promise<ChainReaderHarness> {
  const { reader, close } = await openChain();
  return { chainId: 1, contracts, topic, read: wrap(reader), close };
}

describeChainReader('JSON-RPC', () => openHarness((reader) => (work) => work(reader)));
