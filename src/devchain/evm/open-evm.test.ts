import { createWalletClient, custom, encodeErrorResult, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { mainnet } from 'viem/chains';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EvmRequestError } from '../json-rpc/admit-request.ts';
import { type Evm, openEvm } from './open-evm.ts';
import { testAccounts } from './test-accounts.ts';

const [alice, bob] = testAccounts.map(({ address }) => address);
const contract = '0x00000000000000000000000000000000000000aa';
/** GAS PUSH0 MSTORE MSIZE PUSH0 RETURN: answers with the gas it was given. */
const answerGas = '0x5a5f52595ff3';
/** TIMESTAMP PUSH0 MSTORE MSIZE PUSH0 RETURN. */
const answerTimestamp = '0x425f52595ff3';

let evm: Evm;
const rpc = (method: string, ...params: unknown[]) => evm.request({ method, params });

beforeEach(async () => {
  evm = await openEvm({ chainId: 1 });
});
afterEach(() => evm.close());

describe('openEvm', () => {
  it('opens a chain of any id with its accounts funded and unlocked', async () => {
    expect(await rpc('eth_chainId')).toBe('0x1');
    expect(await rpc('eth_accounts')).toHaveLength(10);
    expect(BigInt(String(await rpc('eth_getBalance', alice, 'latest')))).toBe(10n ** 22n);
  });

  it('mines a transaction as it comes', async () => {
    const hash = await rpc('eth_sendTransaction', { from: alice, to: bob, value: '0x1' });
    expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({
      status: '0x1',
      blockNumber: '0x1',
    });
  });

  it('takes transactions that a wallet has signed', async () => {
    const client = createWalletClient({
      account: privateKeyToAccount(testAccounts[2]!.privateKey),
      chain: mainnet,
      transport: custom(evm),
    });
    const hash = await client.sendTransaction({ to: bob!, value: 5n });
    expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  });

  it('keeps block timestamps at the wall clock, even with many blocks in a second', async () => {
    const before = Math.floor(Date.now() / 1000);
    for (let sent = 0; sent < 20; sent += 1) {
      await rpc('eth_sendTransaction', { from: alice, to: bob });
    }
    const block = await rpc('eth_getBlockByNumber', 'latest', false);
    const { timestamp } = block as { timestamp: string };
    expect(Number(timestamp)).toBeGreaterThanOrEqual(before);
    expect(Number(timestamp)).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  });

  it('gives a call the time of the block it is made at', async () => {
    const { timestamp } = (await rpc('eth_getBlockByNumber', 'latest', false)) as {
      timestamp: string;
    };
    expect(BigInt(String(await rpc('eth_call', { data: answerTimestamp }, 'latest')))).toBe(
      BigInt(timestamp),
    );
  });

  it('lets a call override the state, and gives it as much gas as a public node', async () => {
    const overrides = { [contract]: { code: answerGas } };
    const gas = await rpc('eth_call', { to: contract }, 'latest', overrides);
    expect(Number(gas)).toBeGreaterThan(49_000_000);
    expect(await rpc('eth_getCode', contract, 'latest')).toBe('0x');
  });

  it('answers a reverted call with code 3, the reason and the data of the revert', async () => {
    const reverted = encodeErrorResult({
      abi: parseAbi(['error Error(string)']),
      args: ["it's\nlate"],
    });
    await rpc('hardhat_setCode', contract, revertWith(reverted));
    for (const method of ['eth_call', 'eth_estimateGas']) {
      await expect(rpc(method, { from: alice, to: contract })).rejects.toMatchObject({
        code: 3,
        message: "execution reverted: it's\nlate",
        data: reverted,
      });
    }
  });

  it('mines a failing transaction with status 0', async () => {
    await rpc('hardhat_setCode', contract, revertWith('0x'));
    const hash = await rpc('eth_sendTransaction', { from: alice, to: contract });
    expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x0' });
  });

  it('refuses an unknown method without repeating the request', async () => {
    const failure = await rpc('eth_unheardOf').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EvmRequestError);
    expect(failure).toMatchObject({ code: -32004, data: undefined });
  });

  it('keeps its gas price from block to block', async () => {
    const before = await rpc('eth_gasPrice');
    await rpc('hardhat_mine', '0x40');
    expect(await rpc('eth_gasPrice')).toBe(before);
    expect(await rpc('eth_feeHistory', '0x2', 'latest', [])).toMatchObject({
      baseFeePerGas: ['0x3b9aca00', '0x3b9aca00', '0x3b9aca00'],
    });
  });

  it('refuses eth_subscribe, since it has no way to push', async () => {
    await expect(rpc('eth_subscribe', 'newHeads')).rejects.toThrow('poll with eth_newBlockFilter');
  });

  it('speaks JSON-RPC as text', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
      { jsonrpc: '2.0', id: 2, method: 'eth_unheardOf', params: [] },
    ];
    expect(JSON.parse(await evm.handle(JSON.stringify(batch)))).toMatchObject([
      { jsonrpc: '2.0', id: 1, result: '0x1' },
      { jsonrpc: '2.0', id: 2, error: { code: -32004 } },
    ]);
  });

  it('refuses requests once it is closed', async () => {
    evm.close();
    await expect(rpc('eth_chainId')).rejects.toThrow('The chain 1 of this process is closed');
  });
});

/** Code that copies the data behind it to memory and reverts with it. */
function revertWith(data: `0x${string}`): `0x${string}` {
  const length = (data.length / 2 - 1).toString(16).padStart(4, '0');
  // PUSH2 length, PUSH1 offset, PUSH0, CODECOPY, PUSH2 length, PUSH0, REVERT
  return `0x61${length}600c5f3961${length}5ffd${data.slice(2)}`;
}
