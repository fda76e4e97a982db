import { createPublicClient, createWalletClient, erc20Abi, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { testAccount } from '../../src/cli/test-account.ts';
import { runTradewind, useServer } from '../support/run-tradewind.ts';

const server = useServer({ environment: { TRADEWIND_DEVCHAIN: 'auto' } });
const ether = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const recipient = '0x00000000000000000000000000000000DeaDBeef';

type Answer = {
  success: boolean;
  error?: { code: string; message: string; details?: Record<string, string> };
  data: {
    status: string;
    expectedAmountOut: string;
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
  const response = await fetch(`${server.url}/v1/${path}/31337?${query}`);
  return (await response.json()) as Answer;
}

const quote = (more: Record<string, string> = {}) =>
  ask('swap', { sender: testAccount.address, ...more });

/** Signs and sends what a quote says, and tells what the recipient has more. */
async function execute({ data: { tx } }: Answer, token: Hex | undefined): Promise<bigint> {
  const transport = http(`${server.url}/rpc/31337`);
  const account = privateKeyToAccount(testAccount.privateKey);
  const reader = createPublicClient({ transport });
  const balance = () =>
    token === undefined
      ? reader.getBalance({ address: recipient })
      : reader.readContract({
          address: token,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [recipient],
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

  it('refuses a recipient that nobody holds, and one that wrapping cannot pay [Q29]', async () => {
    const zero = await quote({ recipient: `0x${'0'.repeat(40)}` });
    expect(zero.error?.details?.recipient).toContain('not the zero address');
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
});
