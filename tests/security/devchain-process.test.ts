import { afterEach, describe, expect, test } from 'vitest';
import { type Devchain, startDevchain } from '../../src/devchain/index.ts';
import { createFakeClock } from '../support/fake-clock.ts';

/** JUMPDEST, PUSH1 0, JUMP: loops until the gas is used up, while the node records every step. */
const endless = { data: '0x5b600056' };

describe('a call of the development chain', () => {
  let devchain: Devchain;
  afterEach(() => devchain.close());

  const post = async (method: string, params: readonly unknown[] = []) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const request = new Request('http://localhost/', { method: 'POST', body });
    const response = await devchain.handleRpc(request, { isForeignPage: false });
    return (await response.json()) as {
      result?: string;
      error?: { code: number; message: string };
    };
  };
  const pay = () => {
    const [from, to] = devchain.accounts.map(({ address }) => address);
    return post('eth_sendTransaction', [{ from, to, value: '0x7' }]);
  };
  const state = async () => {
    const receiver = devchain.accounts[1]!.address;
    const { result: balance } = await post('eth_getBalance', [receiver, 'latest']);
    return { block: (await post('eth_blockNumber')).result, balance };
  };

  test('that takes too much memory is ended, and the chain is as it was before [F14]', async () => {
    devchain = await startDevchain();
    const { hash } = { hash: (await pay()).result };
    const before = await state();
    const held = process.memoryUsage.rss();
    const { error } = await post('eth_call', [endless, 'latest']);
    expect(error).toMatchObject({ code: -32005, message: expect.stringContaining('512 MiB') });
    // The call took its memory in another process.
    expect(process.memoryUsage.rss() - held).toBeLessThan(200 * 2 ** 20);
    expect(await state()).toEqual(before);
    expect((await post('eth_getTransactionByHash', [hash])).result).toMatchObject({ value: '0x7' });
    expect((await pay()).error).toBeUndefined();
  });

  test('that takes too long is ended, and what waits behind it is answered [F14, N9]', async () => {
    const clock = createFakeClock();
    devchain = await startDevchain({ clock });
    const ended = post('eth_call', [endless, 'latest']);
    await clock.whenAsleep();
    clock.advance(10_000);
    expect((await ended).error).toMatchObject({ message: expect.stringContaining('10 s') });
    expect((await post('eth_chainId')).result).toBe('0x7a69');
  });

  test('that comes when the chain is closed is refused', async () => {
    devchain = await startDevchain();
    devchain.close();
    expect((await post('eth_chainId')).error).toMatchObject({ code: -32000 });
  });
});
