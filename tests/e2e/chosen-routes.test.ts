import { createPublicClient, createWalletClient, erc20Abi, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { testAccount } from '../../src/cli/server/ask-for-quote.ts';
import { runTradewind, useServer } from '../support/run-tradewind.ts';

const server = useServer({ environment: { TRADEWIND_DEVCHAIN: 'auto' } });
const ether = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const scarce = '0x378ce7D668eD2E54B070CEef5Ed4Dc9cb92f9D45';
const recipient = '0x00000000000000000000000000000000DeaDBeef';

type Answer = {
  success: boolean;
  error?: { code: string; message: string; details?: Record<string, string> };
  data: {
    status: string;
    expectedAmountOut: string;
    amountIn: string;
    maxAmountIn: string;
    minAmountOut: string;
    feeAmount: string;
    route: { exchange: string }[];
    tx: { to: Hex; data: Hex; value: string; gas: string };
  };
};

async function ask(path: string, more: Record<string, string> = {}): Promise<Answer> {
  const query = new URLSearchParams({
    tokenIn: ether,
    tokenOut: usdc,
    amount: `${10n ** 18n}`,
    ...more,
  });
  // An empty amount means that the parameter is left out.
  if (query.get('amount') === '') query.delete('amount');
  const response = await fetch(`${server.url}/v1/${path}/31337?${query}`);
  return (await response.json()) as Answer;
}

const quote = (more: Record<string, string> = {}) =>
  ask('swap', { sender: testAccount.address, ...more });

/** Signs and sends the transaction of a quote. Returns what the recipient gained. */
async function execute(
  { data: { tx } }: Answer,
  token: Hex | undefined,
  receiver: Hex = recipient,
): Promise<bigint> {
  const transport = http(`${server.url}/rpc/31337`);
  const account = privateKeyToAccount(testAccount.privateKey);
  const reader = createPublicClient({ transport, pollingInterval: 20 });
  const balance = () =>
    token === undefined
      ? reader.getBalance({ address: receiver })
      : reader.readContract({
          address: token,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [receiver],
        });
  const before = await balance();
  const hash = await createWalletClient({ transport, account }).sendTransaction({
    chain: null,
    to: tx.to,
    data: tx.data,
    value: BigInt(tx.value),
    gas: BigInt(tx.gas),
  });
  const { status } = await reader.waitForTransactionReceipt({ hash });
  expect(status).toBe('success');
  return (await balance()) - before;
}

describe('what integrators choose', () => {
  it('pays the output to a recipient other than the sender, to the unit [Q29]', async () => {
    const token = await quote({ recipient });
    expect(await execute(token, usdc)).toBe(BigInt(token.data.expectedAmountOut));
    // A split gathers its paths in the router and sweeps them to the recipient.
    const split = await quote({ recipient, amount: `${500n * 10n ** 18n}` });
    expect(await execute(split, usdc)).toBe(BigInt(split.data.expectedAmountOut));
  });

  it('refuses the zero address as recipient, and another recipient for wrapping [Q29]', async () => {
    const zero = await quote({ recipient: `0x${'0'.repeat(40)}` });
    expect(zero.error?.details?.recipient).toContain('other than the zero address');
    const wrapped = await quote({ recipient, tokenOut: weth });
    expect(wrapped.error?.message).toContain('recipient must be the sender');
  });

  it('routes over the chosen exchanges alone [Q29]', async () => {
    const exchanges = async (more: Record<string, string>) =>
      new Set((await quote(more)).data.route.map(({ exchange }) => exchange));
    expect(await exchanges({ dexes: 'uniswap-v2' })).toEqual(new Set(['uniswap-v2']));
    expect(await exchanges({ excludeDexes: 'uniswap-v3' })).not.toContain('uniswap-v3');
    expect(await exchanges({ router: 'auto' })).toContain('uniswap-v3');
    const unknown = await quote({ dexes: 'uniswap-v2,nowhere' });
    expect(unknown.error).toMatchObject({
      code: 'INVALID_PARAMS',
      details: { dexes: expect.stringContaining('"nowhere"') },
    });
    const router = await quote({ router: 'none' });
    expect(router.error?.details?.router).toContain('swap-router-02');
  });

  it('names exchanges in the list of chains by the ids that are chosen by [Q29]', async () => {
    const response = await fetch(`${server.url}/v1/chains`);
    const { data } = (await response.json()) as {
      data: { chains: { chainId: number; dexes: { id: string }[] }[] };
    };
    const development = data.chains.find(({ chainId }) => chainId === 31337);
    expect(development?.dexes.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['uniswap-v2', 'uniswap-v3']),
    );
  });

  it('prices a swap as it quotes it, without a sender or a transaction [Q29]', async () => {
    const [price, quoted] = await Promise.all([ask('price'), quote()]);
    expect(price.data).toMatchObject({
      status: 'Successful',
      expectedAmountOut: quoted.data.expectedAmountOut,
      route: quoted.data.route,
    });
    for (const field of ['tx', 'approval', 'minAmountOut', 'validUntil'])
      expect(price.data).not.toHaveProperty(field);
    const wrapping = await ask('price', { tokenOut: weth });
    expect(wrapping.data).toMatchObject({ swapPrice: 1, expectedAmountOut: `${10n ** 18n}` });
    const missing = await ask('price', { tokenOut: recipient });
    expect(missing.error?.code).toBe('INVALID_PARAMS');
  });

  it('prices a swap from the command line [Q29]', async () => {
    const run = runTradewind(['price', '1', 'ETH', 'USDC', '--server', server.url]);
    expect(await run.ended).toBe(0);
    const { stdout } = run.output();
    expect(stdout).toContain('1 ETH → ');
    expect(stdout).not.toContain('Minimum');
  });

  it('is executed by our own contract, or by another router where that is chosen [Q21, Q29]', async () => {
    const response = await fetch(`${server.url}/v1/chains`);
    const { data } = (await response.json()) as {
      data: { chains: { chainId: number; routers: { kind: string; address: string }[] }[] };
    };
    const routers = data.chains.find(({ chainId }) => chainId === 31337)?.routers ?? [];
    for (const { kind, address } of routers) {
      const chosen = await quote({ router: kind, recipient });
      expect(chosen.data.tx.to).toBe(address);
      expect(await execute(chosen, usdc)).toBe(BigInt(chosen.data.expectedAmountOut));
    }
    const own = routers.find(({ kind }) => kind === 'tradewind');
    expect((await quote()).data.tx.to).toBe(own?.address);
  });

  it('gives an integrator a share of the output, and the recipient the rest [Q29]', async () => {
    const feeRecipient = '0x00000000000000000000000000000000c0ffee00';
    const whole = await ask('price');
    for (const tokenOut of [usdc, ether]) {
      const trade =
        tokenOut === usdc ? {} : { tokenIn: usdc, tokenOut: ether, amount: '3000000000' };
      const withFee = await quote({ ...trade, recipient, fee: '0.0025', feeRecipient });
      const token = tokenOut === usdc ? usdc : undefined;
      const { expectedAmountOut, feeAmount } = withFee.data;
      expect(Number(feeAmount) / (Number(expectedAmountOut) + Number(feeAmount))).toBeCloseTo(
        0.0025,
        6,
      );
      if (tokenOut === ether) {
        const transport = http(`${server.url}/rpc/31337`);
        const account = privateKeyToAccount(testAccount.privateKey);
        await createWalletClient({ transport, account }).writeContract({
          chain: null,
          address: usdc,
          abi: erc20Abi,
          functionName: 'approve',
          args: [withFee.data.tx.to, 3_000_000_000n],
        });
      }
      expect(await execute(withFee, token, feeRecipient)).toBe(BigInt(feeAmount));
      const price = await ask('price', { fee: '0.0025' });
      expect(
        BigInt(price.data.expectedAmountOut) + BigInt(price.data.feeAmount),
      ).toBeLessThanOrEqual(BigInt(whole.data.expectedAmountOut));
    }
    const alone = await quote({ fee: '0.001' });
    expect(alone.error?.details?.feeRecipient).toContain('belong together');
    const fine = await quote({ fee: '0.0000000001', feeRecipient });
    expect(fine.error?.details?.fee).toContain('nine decimals');
    const other = await quote({ fee: '0.001', feeRecipient, router: 'swap-router-02' });
    expect(other.error?.details?.fee).toContain('only with the router tradewind');
    const wrapping = await quote({ fee: '0.001', feeRecipient, tokenOut: weth });
    expect(wrapping.error?.details?.fee).toContain('not supported for wrapping');
  });

  it('takes less gas and calldata by our own contract than by SwapRouter02 [Q25]', async () => {
    for (const amount of [10n ** 18n, 500n * 10n ** 18n]) {
      // Only over the exchanges that both routers know: ours would split over more.
      const dexes = 'uniswap-v2,uniswap-v3';
      const by = async (router: string) =>
        (await quote({ router, dexes, amount: `${amount}`, gasPrice: '0' })).data.tx;
      const [own, foreign] = [await by('tradewind'), await by('swap-router-02')];
      expect(Number(own.gas)).toBeLessThan(Number(foreign.gas));
      expect(own.data.length).toBeLessThan(foreign.data.length / 2);
    }
  });

  it('delivers at least the output that was asked for, and spends at most maxAmountIn [Q29]', async () => {
    const amountOut = 5_000_000_000n;
    const wanted = { amountOut: `${amountOut}`, recipient };
    for (const maxSlippage of ['0', '0.01']) {
      const { data } = await quote({ ...wanted, maxSlippage, amount: '' });
      const { maxAmountIn, amountIn, minAmountOut, expectedAmountOut, tx } = data;
      expect({ maxAmountIn, minAmountOut, value: tx.value }).toEqual({
        maxAmountIn: amountIn,
        minAmountOut: `${amountOut}`,
        value: amountIn,
      });
      const needed = (BigInt(expectedAmountOut) * (maxSlippage === '0' ? 100n : 99n)) / 100n;
      expect(needed).toBeGreaterThanOrEqual(amountOut - 1n);
      // At most a millionth above what was asked for.
      expect(needed).toBeLessThanOrEqual(amountOut + amountOut / 1_000_000n);
      const price = await ask('price', { ...wanted, maxSlippage, amount: '' });
      expect(price.data).toMatchObject({ amountIn, maxAmountIn, expectedAmountOut });
      expect(await execute({ success: true, data }, usdc)).toBe(BigInt(expectedAmountOut));
    }
    const wrapping = await quote({ amount: '', amountOut: '7', tokenOut: weth });
    expect(wrapping.data).toMatchObject({ amountIn: '7', expectedAmountOut: '7' });
    const endless = await quote({ amount: '', amountOut: `${10n ** 30n}` });
    expect(endless.data.status).toBe('NoRoute');
    // Nearly all that the pool holds, so nothing is left for slippage.
    const amountOutOfFew = `${4_990n * 10n ** 18n}`;
    const few = await quote({ amount: '', amountOut: amountOutOfFew, tokenOut: scarce });
    expect(few.data).toMatchObject({ status: 'Successful', minAmountOut: amountOutOfFew });
    const both = await quote({ amountOut: '5' });
    expect(both.error?.details?.amountOut).toContain('leave one of them out');
    for (const path of ['swap', 'price']) {
      const sender = testAccount.address;
      const all = await ask(path, { sender, amount: '', amountOut: '5', maxSlippage: '1' });
      expect(all.error?.details?.maxSlippage).toContain('below 1');
    }
  });
});
