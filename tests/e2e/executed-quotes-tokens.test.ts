import { decodeFunctionData, encodeFunctionData, erc20Abi, maxUint256 } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { impersonate } from '../../src/devchain/evm/transactions.ts';
import { ethereum } from '../../src/swap/deployments/chains/ethereum.ts';
import { type Address, nativeToken, parseAddress } from '../../src/swap/model.ts';
import type { Quote, RoutedQuote } from '../../src/swap/quote/quote.ts';
import {
  executeQuote,
  prepareSender,
  send,
  succeedsWith,
  undone,
} from '../support/execute-quote.ts';
import { openQuotes, type Quotes } from '../support/open-quotes.ts';
import { openWorld, type World } from '../support/open-world.ts';

const holder = parseAddress(testAccounts[2]!.address);
const stranger = parseAddress('0x00000000000000000000000000000000000057a4');
const router = ethereum.routers[0]!.address;

let world: World;
let quotes: Quotes;

beforeAll(async () => {
  world = await openWorld();
  quotes = await openQuotes({ deployment: ethereum, urls: [world.server.url] });
});
afterAll(async () => {
  await quotes.close();
  await world.close();
});

type Trade = {
  from: string;
  to: string;
  /** In whole tokens. */
  amount: number;
  sender?: Address;
  gasPrice?: bigint;
};

function ask({ from, to, amount, sender = stranger, ...rest }: Trade): Promise<Quote> {
  const decimals = world.tokens.find(({ symbol }) => symbol === from)?.decimals ?? 18;
  const amountIn = BigInt(Math.round(amount * 1e6)) * 10n ** BigInt(decimals - 6);
  const tokenOf = (symbol: string) => (symbol === 'ETH' ? nativeToken : world.token(symbol));
  return quotes.quote({ tokenIn: tokenOf(from), tokenOut: tokenOf(to), amountIn, sender, ...rest });
}

async function askRouted(trade: Trade): Promise<RoutedQuote> {
  const quote = await ask(trade);
  if (quote.status === 'NoRoute') throw new Error(`There is no route: ${quote.reason}`);
  return quote;
}

/** Executes and then reverts the chain, so that every test finds the world as it was built. */
const execute = (quote: RoutedQuote) =>
  undone(world.evm, async () => {
    await prepareSender(world.evm, quote);
    const wasteful = (quote.tx.gas * 10n - 1n) / 11n;
    const isGasWasted = await succeedsWith(world.evm, quote, wasteful);
    return { ...(await executeQuote(world.evm, quote)), isGasWasted };
  });

async function expectExact(quote: RoutedQuote): Promise<void> {
  expect(await execute(quote)).toMatchObject({
    succeeded: true,
    received: quote.expectedAmountOut,
    spent: quote.amountIn,
    isGasWasted: false,
  });
}

const pathsOf = ({ route }: RoutedQuote) => new Set(route.map(({ path }) => path)).size;

describe('odd tokens', () => {
  it.each([
    ['TAX', 'USDC'],
    ['USDC', 'TAX'],
    ['ETH', 'TAX'],
    ['TAX', 'ETH'],
    ['TAX', 'DAI'],
  ])('a taxed token is quoted as it arrives, %s for %s [Q15, Q17]', async (from, to) => {
    const before = quotes.differences;
    const quote = await askRouted({ from, to, amount: 2 });
    expect(quote.status).toBe('Successful');
    await expectExact(quote);
    expect(quotes.differences).toBeGreaterThan(before);
  });

  it('one that returns nothing from transfer can be sold and bought [Q15]', async () => {
    await expectExact(await askRouted({ from: 'USDT', to: 'WBTC', amount: 9_000 }));
    await expectExact(await askRouted({ from: 'WBTC', to: 'USDT', amount: 0.1 }));
  });

  it('one that wants its allowance set to zero first gets two approvals [Q7, Q15]', async () => {
    await undone(world.evm, async () => {
      await allow({ owner: holder, token: world.token('USDT'), amount: 5n });
      const quote = await askRouted({ from: 'USDT', to: 'DAI', amount: 100, sender: holder });
      expect(quote.approval.map(readApproval)).toEqual([
        { to: world.token('USDT'), args: [router, 0n] },
        { to: world.token('USDT'), args: [router, quote.amountIn] },
      ]);
      await expectExact(quote);
    });
  });

  it('one with bytes32 for its name is shown with that name [Q15]', async () => {
    const quote = await askRouted({ from: 'MKR', to: 'ETH', amount: 3 });
    expect(quote.tokenFrom).toMatchObject({ symbol: 'MKR', name: 'Maker', decimals: 18 });
    await expectExact(quote);
  });

  it('one whose transfers fail has no route, and the reason is said [Q15]', async () => {
    const taken = await ask({ from: 'USDC', to: 'FROZEN', amount: 5 });
    expect(taken).toMatchObject({ status: 'NoRoute', reason: /TRANSFER_FAILED/ });
    const given = await ask({ from: 'FROZEN', to: 'USDC', amount: 5 });
    expect(given).toMatchObject({ status: 'NoRoute', reason: /cannot be executed: / });
  });

  it('one whose liquidity runs out is filled in part [Q3]', async () => {
    const asked = { from: 'USDC', to: 'SCARCE', amount: 70_000 };
    const quote = await askRouted(asked);
    expect(quote.status).toBe('Partial');
    expect(quote.amountIn).toBeLessThan(60_000n * 10n ** 6n);
    await expectExact(quote);
    await undone(world.evm, async () => {
      await prepareSender(world.evm, quote);
      await executeQuote(world.evm, quote);
      const rest = await ask(asked);
      const more = rest.status === 'NoRoute' ? 0n : rest.expectedAmountOut;
      // Settling stops a little before the very end.
      expect(more).toBeLessThan(quote.expectedAmountOut / 1_000n);
    });
  });

  it('one without a pool has no route, but is still described [Q3]', async () => {
    const quote = await ask({ from: 'USDC', to: 'LONELY', amount: 5 });
    expect(quote).toMatchObject({
      status: 'NoRoute',
      tokenTo: { address: world.token('LONELY'), symbol: 'LONELY', decimals: 18 },
      rpcUrls: [world.server.url],
      reason: expect.stringContaining('No pool connects'),
    });
    expect(quote).not.toHaveProperty('tx');
    expect(quote).not.toHaveProperty('expectedAmountOut');
  });

  it('an address without a token is a bad parameter [Q2]', async () => {
    const tokenOut = parseAddress('0x00000000000000000000000000000000000000aa');
    const request = { tokenIn: nativeToken, tokenOut, amountIn: 1n, sender: stranger };
    await expect(quotes.quote(request)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining(tokenOut),
    });
  });
});

describe('ether', () => {
  it.each([
    ['ETH', 'WETH'],
    ['WETH', 'ETH'],
  ])('is wrapped and unwrapped one for one, %s to %s [Q6]', async (from, to) => {
    const quote = await askRouted({ from, to, amount: 1.5 });
    expect(quote).toMatchObject({
      expectedAmountOut: quote.amountIn,
      swapPrice: 1,
      priceImpact: 0,
      approval: [],
      tx: { to: world.token('WETH') },
    });
    await expectExact(quote);
  });

  it('is paid and received by a swap, with 18 decimals [Q6]', async () => {
    const sold = await askRouted({ from: 'ETH', to: 'USDC', amount: 40 });
    expect(sold).toMatchObject({ tokenFrom: { address: nativeToken, decimals: 18 } });
    expect(sold).toMatchObject({ approval: [], tx: { value: sold.amountIn } });
    await expectExact(sold);
    await expectExact(await askRouted({ from: 'USDC', to: 'ETH', amount: 120_000 }));
  });

  it('is known in any letter case [Q6]', async () => {
    const lower = nativeToken.toLowerCase() as Address;
    const request = { tokenIn: lower, tokenOut: world.token('USDC'), sender: stranger };
    const quote = await quotes.quote({ ...request, amountIn: 10n ** 18n });
    expect(quote.tokenFrom.address).toBe(nativeToken);
  });
});

describe('a quote', () => {
  it('states prices in whole tokens, and the cost of the trade against the mid price [Q4]', async () => {
    const small = await askRouted({ from: 'WETH', to: 'USDC', amount: 0.01, gasPrice: 0n });
    expect(small.swapPrice).toBeGreaterThan(2_990);
    expect(small.swapPrice).toBeLessThan(3_010);
    // The cheapest pool takes five hundredths of a percent and hardly moves.
    expect(small.priceImpact).toBeCloseTo(0.0005, 4);
    const large = await askRouted({ from: 'WETH', to: 'USDC', amount: 3_000 });
    // Mid prices of the pools lie within a thousandth around 3,000.
    expect(large.priceImpact).toBeCloseTo(1 - large.swapPrice / 3_000, 3);
    expect(large.priceImpact).toBeGreaterThan(0.01);
    expect(large.swapPrice).toBeLessThan(small.swapPrice);
  });

  it('shows every leg, and the legs add up [Q7]', async () => {
    const quote = await askRouted({ from: 'WBTC', to: 'DAI', amount: 8 });
    expect(pathsOf(quote)).toBeGreaterThan(1);
    const known = new Set<string>(world.pools.map(({ address }) => address));
    let [given, taken] = [0n, 0n];
    for (const [index, leg] of quote.route.entries()) {
      expect(known).toContain(leg.pool);
      const [before, next] = [quote.route[index - 1], quote.route[index + 1]];
      if (before?.path === leg.path) {
        expect(leg).toMatchObject({ tokenIn: before.tokenOut, amountIn: before.amountOut });
      } else {
        given += leg.amountIn;
        expect(leg.tokenIn).toBe(world.token('WBTC'));
        expect(leg.share).toBeCloseTo(Number(leg.amountIn) / Number(quote.amountIn), 9);
      }
      if (next?.path !== leg.path) taken += leg.amountOut;
    }
    expect([given, taken]).toEqual([quote.amountIn, quote.expectedAmountOut]);
    expect(quote.blockNumber).toBe(await world.client.getBlockNumber());
  });

  it('asks for no approval where the sender has given enough [Q7]', async () => {
    await undone(world.evm, async () => {
      await allow({ owner: holder, token: world.token('USDC'), amount: maxUint256 });
      const quote = await askRouted({ from: 'USDC', to: 'WETH', amount: 10, sender: holder });
      expect(quote.approval).toEqual([]);
      await expectExact(quote);
    });
  });

  it('holds until its deadline, which the transaction enforces [Q8]', async () => {
    const quote = await askRouted({ from: 'ETH', to: 'USDC', amount: 1 });
    const { timestamp } = await world.client.getBlock();
    const deadline = BigInt(quote.validUntil / 1_000);
    expect(deadline - timestamp).toBeGreaterThanOrEqual(600n);
    expect(quote.tx.gasPrice).toBe(await world.client.getGasPrice());
    const sentAt = (time: bigint) =>
      undone(world.evm, async () => {
        await prepareSender(world.evm, quote);
        // The transaction's block comes twelve seconds later.
        await world.evm.request({ method: 'evm_mine', params: [Number(time) - 12] });
        return (await executeQuote(world.evm, quote)).succeeded;
      });
    expect(await sentAt(deadline)).toBe(true);
    expect(await sentAt(deadline + 1n)).toBe(false);
  });

  it('accounts for gas: expensive gas gives fewer paths, free gas the most output [Q19]', async () => {
    const trade = { from: 'WBTC', to: 'DAI', amount: 3 };
    const usual = await askRouted(trade);
    const free = await askRouted({ ...trade, gasPrice: 0n });
    const dear = await askRouted({ ...trade, gasPrice: 10n ** 13n });
    // The search may miss a hundredth of a basis point.
    const tolerated = usual.expectedAmountOut / 1_000_000n;
    expect(free.expectedAmountOut).toBeGreaterThanOrEqual(usual.expectedAmountOut - tolerated);
    expect(usual.expectedAmountOut).toBeGreaterThanOrEqual(dear.expectedAmountOut);
    expect(pathsOf(free)).toBeGreaterThan(pathsOf(dear));
    expect(pathsOf(dear)).toBe(1);
    expect(free.optimality.gapBps).toBeLessThanOrEqual(0.1);
    for (const quote of [usual, free, dear]) await expectExact(quote);
  });
});

async function allow(grant: { owner: Address; token: Address; amount: bigint }): Promise<void> {
  const { owner, token, amount } = grant;
  await impersonate(world.evm, owner);
  const args = [router, amount] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  await send(world.evm, { from: owner, to: token, data, value: 0n });
}

function readApproval({ to, data }: RoutedQuote['approval'][number]) {
  const { args } = decodeFunctionData({ abi: erc20Abi, data });
  return { to, args };
}
