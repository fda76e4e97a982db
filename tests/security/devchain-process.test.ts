import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { type Devchain, devchainLimits, startDevchain } from '../../src/devchain/index.ts';
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

  test('fails alone: those that wait behind it are answered by the chain that is built again, which is counted [F37]', async () => {
    const ends: string[] = [];
    devchain = await startDevchain({ onEnded: ({ by }) => ends.push(by) });
    const guilty = post('eth_call', [endless, 'latest']);
    const others = await Promise.all(Array.from({ length: 40 }, () => pay()));
    expect((await guilty).error).toMatchObject({ code: -32005 });
    expect(others.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(ends).toEqual(['call-memory']);
  });

  test('is repeated where the process ends by itself [F37]', async () => {
    const ends: string[] = [];
    devchain = await startDevchain({ onEnded: ({ by }) => ends.push(by) });
    const paid = await pay();
    const before = await state();
    // As the system does where memory is short. Other tests of this process have closed theirs.
    const args = ['-9', '-P', String(process.pid), '-f', 'devchain-host'];
    const calls = Array.from({ length: 5 }, () => post('eth_blockNumber'));
    execFileSync('pkill', args);
    const answers = await Promise.all(calls);
    expect(answers.map(({ result }) => result)).toEqual(answers.map(() => before.block));
    expect(ends).toEqual(['nothing']);
    expect(paid.error).toBeUndefined();
    expect(await state()).toEqual(before);
  });

  test('beyond the share of its caller is refused with 429, and of all with 503, while others have their turn', async () => {
    devchain = await startDevchain();
    const { callsWaiting, callsWaitingEach } = devchainLimits;
    const ask = async (caller: string) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
      const request = new Request('http://localhost/', { method: 'POST', body });
      return devchain.handleRpc(request, { isForeignPage: false, caller });
    };
    const callers = ['a', 'b', 'c', 'd', 'e'];
    const order: string[] = [];
    const asked = callers.flatMap((caller) =>
      Array.from({ length: callsWaitingEach.value + 40 }, async () => {
        const response = await ask(caller);
        if (response.status === 200) order.push(caller);
        else expect(response.headers.get('retry-after')).toBe('1');
        return { caller, status: response.status };
      }),
    );
    const answers = await Promise.all(asked);
    const count = (caller: string, status: number) =>
      answers.filter((one) => one.caller === caller && one.status === status).length;
    // One call runs while the others wait.
    expect(count('a', 200)).toBe(callsWaitingEach.value + 1);
    expect(count('a', 429)).toBe(39);
    expect(count('d', 200)).toBe(callsWaitingEach.value);
    expect(order).toHaveLength(callsWaiting.value + 1);
    expect(count('e', 503)).toBe(callsWaitingEach.value + 40);
    expect(new Set(order.slice(1, 9)).size).toBe(4);
  });

  /** Returns so many zeros, or reverts with them. */
  const returning = (bytes: number, how: 'f3' | 'fd' = 'f3') => {
    const code = `0x63${bytes.toString(16).padStart(8, '0')}5f${how}`;
    const to = '0x00000000000000000000000000000000000a77ac';
    return { method: 'eth_call', params: [{ to }, 'latest', { [to]: { code } }] };
  };
  const postAll = async (
    calls: readonly { method: string; params: readonly unknown[] }[],
    caller = 'a',
  ) => {
    const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
    const request = new Request('http://localhost/', { method: 'POST', body });
    return devchain.handleRpc(request, { isForeignPage: false, caller });
  };
  type Outcome = { result?: string; error?: { code: number; message: string } };

  test('with an answer over its limit is answered by an error, whatever it returns or reverts with [F95]', async () => {
    devchain = await startDevchain();
    const calls = [
      returning(2_300_000),
      returning(2_300_000, 'fd'),
      returning(1_000_000),
      returning(1_000_000, 'fd'),
    ];
    const outcomes = (await (await postAll(calls)).json()) as Outcome[];
    const tooLarge = { code: -32000, message: expect.stringContaining('too large') };
    expect(outcomes.slice(0, 2)).toMatchObject([{ error: tooLarge }, { error: tooLarge }]);
    expect(outcomes[2]?.result).toHaveLength(2_000_002);
    expect(outcomes[3]?.error).toMatchObject({ code: 3 });
  });

  test('in a batch whose answers are too large together is not made [F95]', async () => {
    devchain = await startDevchain();
    const to = devchain.accounts[1]!.address;
    const change = { method: 'hardhat_setNonce', params: [to, '0x7'] };
    const response = await postAll([...Array(5).fill(returning(1_000_000)), change]);
    const text = await response.text();
    expect(text.length).toBeLessThan(9 * 2 ** 20);
    const outcomes = JSON.parse(text) as Outcome[];
    expect(outcomes.map(({ error }) => error?.code)).toEqual([
      ...[undefined, undefined, undefined, undefined, -32000, -32000],
    ]);
    expect((await post('eth_getTransactionCount', [to, 'latest'])).result).toBe('0x0');
  });

  test('has a place for its answer until somebody has taken it or left, of each caller and of all [F95]', async () => {
    devchain = await startDevchain();
    const large = Array(4).fill(returning(1_000_000));
    const responses: Response[] = [];
    for (const caller of ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'c', 'd', 'e', 'f']) {
      responses.push(await postAll(large, caller));
    }
    const refusedIn = async (all: Response[]) => {
      const texts = await Promise.all(all.map((response) => response.text()));
      return texts.filter((text) => text.includes('have not been taken yet')).length;
    };
    expect(await refusedIn(responses.splice(0, 6))).toBe(2);
    expect(await refusedIn(responses)).toBe(1);
    expect(await refusedIn([await postAll(large)])).toBe(0);
  });

  test('that comes when the chain is closed is refused', async () => {
    devchain = await startDevchain();
    devchain.close();
    expect((await post('eth_chainId')).error).toMatchObject({ code: -32000 });
  });
});
