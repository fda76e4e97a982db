import { createPublicClient, createWalletClient, erc20Abi, type Hex, http, parseUnits } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { testAccount } from '../../src/cli/server/ask-for-quote.ts';
import { useServer } from '../support/run-tradewind.ts';

const server = useServer({ environment: { TRADEWIND_DEVCHAIN: 'auto' } });
const tokens = {
  ETH: { address: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', decimals: 18 },
  USDC: { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 },
  USDT: { address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6 },
  DAI: { address: '0x6B175474E89094C44Da98b954EedeAC495271d0F', decimals: 18 },
  sDAI: { address: '0x83F20F44975D03b1b09e64809B757c47f942BEeA', decimals: 18 },
} as const satisfies Record<string, { address: Hex; decimals: number }>;
type Symbol = keyof typeof tokens;

type Call = { to: Hex; data: Hex; value?: string; gas?: string };
type Answer = {
  success: boolean;
  data: {
    status: string;
    expectedAmountOut: string;
    optimality: { upperBound: string; gapBps: number };
    route: { exchange: string }[];
    approval?: Call[];
    tx: Call;
  };
};

async function quote(
  pair: readonly [Symbol, Symbol],
  { amount, dexes }: { readonly amount: string; readonly dexes?: string },
): Promise<Answer['data']> {
  const [tokenIn, tokenOut] = [tokens[pair[0]], tokens[pair[1]]];
  const query = new URLSearchParams({
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address,
    amount: `${parseUnits(amount, tokenIn.decimals)}`,
    sender: testAccount.address,
    ...(dexes === undefined ? {} : { dexes }),
  });
  const response = await fetch(`${server.url}/v1/swap/31337?${query}`);
  const answer = (await response.json()) as Answer;
  expect(answer, JSON.stringify(answer)).toMatchObject({
    success: true,
    data: { status: 'Successful' },
  });
  return answer.data;
}

/** Sends the approvals and the transaction of a quote. Returns how much of the output the sender gained. */
async function execute({ approval = [], tx }: Answer['data'], symbol: Symbol): Promise<bigint> {
  const transport = http(`${server.url}/rpc/31337`);
  const account = privateKeyToAccount(testAccount.privateKey);
  const reader = createPublicClient({ transport, pollingInterval: 20 });
  const wallet = createWalletClient({ transport, account });
  const balance = () =>
    reader.readContract({
      address: tokens[symbol].address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account.address],
    });
  const send = async ({ to, data, value = '0', gas }: Call) => {
    const limit = gas === undefined ? {} : { gas: BigInt(gas) };
    const call = { chain: null, to, data, value: BigInt(value), ...limit };
    const hash = await wallet.sendTransaction(call);
    const { status } = await reader.waitForTransactionReceipt({ hash });
    expect(status).toBe('success');
  };
  for (const call of approval) await send(call);
  const before = await balance();
  await send(tx);
  return (await balance()) - before;
}

const trades: Readonly<Record<string, readonly (readonly [Symbol, Symbol, string])[]>> = {
  erc4626: [
    ['DAI', 'sDAI', '1234.5'],
    ['sDAI', 'DAI', '987.654321'],
  ],
  solidly: [
    ['ETH', 'USDC', '3.7'],
    ['USDC', 'DAI', '25000'],
    ['DAI', 'USDC', '1234.567'],
    ['USDT', 'USDC', '50000'],
  ],
  algebra: [
    ['ETH', 'USDC', '12.5'],
    ['USDC', 'USDT', '4000'],
  ],
  curve: [
    ['USDC', 'DAI', '30000'],
    ['DAI', 'USDT', '777.77'],
    ['USDT', 'USDC', '250000'],
  ],
};

describe('the development chain', () => {
  for (const [dex, pairs] of Object.entries(trades)) {
    for (const [from, to, amount] of pairs) {
      it(`gives ${to} for ${amount} ${from} through ${dex} alone, as quoted to the unit [Q26]`, async () => {
        const quoted = await quote([from, to], { amount, dexes: dex });
        expect(new Set(quoted.route.map(({ exchange }) => exchange))).toEqual(new Set([dex]));
        expect(await execute(quoted, to)).toBe(BigInt(quoted.expectedAmountOut));
        expect(quoted.optimality.gapBps).toBeGreaterThanOrEqual(0);
      });
    }
  }

  it('joins several kinds in one route, as quoted to the unit [Q26]', async () => {
    const quoted = await quote(['ETH', 'sDAI'], { amount: '300' });
    const used = new Set(quoted.route.map(({ exchange }) => exchange));
    expect([...used]).toEqual(expect.arrayContaining(['erc4626', 'algebra', 'solidly']));
    expect(await execute(quoted, 'sDAI')).toBe(BigInt(quoted.expectedAmountOut));
    expect(quoted.optimality.gapBps).toBeLessThan(0.5);
  });
});
