import { encodeAbiParameters, parseAbiParameters } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addConstantProductPool } from '../../src/devchain/pools/add-constant-product-pool.ts';
import { createToken } from '../../src/devchain/tokens.ts';
import { ethereum } from '../../src/swap/deployments/chains/ethereum.ts';
import { executorBuilds } from '../../src/swap/executor/executor-builds.ts';
import { type Address, nativeToken, parseAddress } from '../../src/swap/model.ts';
import type { RoutedQuote } from '../../src/swap/quote/quote.ts';
import { balanceOf, prepareSender, send, undone } from '../support/execute-quote.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { type AskedQuote, openQuotes, type Quotes } from '../support/open-quotes.ts';
import { openWorld, type World } from '../support/open-world.ts';
import { compileContract } from './executor/compile-contract.ts';

const whole = 10n ** 18n;
const sender = parseAddress('0x00000000000000000000000000000000000057a4');
const recipient = parseAddress('0x00000000000000000000000000000000DeaDBeef');
const exactly = { numerator: 0n, denominator: 1n };

let world: World;
let quotes: Quotes;

beforeAll(async () => {
  world = await openWorld({
    deployments: executorBuilds.map(({ deploymentData }) => deploymentData),
  });
  quotes = await openQuotes({ deployment: ethereum, urls: [world.server.url] });
});
afterAll(async () => {
  await quotes.close();
  await world.close();
});

async function ask(request: AskedQuote): Promise<RoutedQuote> {
  const quote = await quotes.quote(request);
  if (quote.status === 'NoRoute') throw new Error(`There is no route: ${quote.reason}`);
  return quote;
}

/** Sends the transaction of a quote. Returns whether it succeeded, and what arrived at a holder. */
const execute = (quote: RoutedQuote, holder = quote.tx.from) =>
  undone(world.evm, async () => {
    await prepareSender(world.evm, quote);
    const token = quote.tokenTo.address;
    const before = await balanceOf(world.evm, token, holder);
    const { succeeded, fee } = await send(world.evm, quote.tx);
    const paid = token === nativeToken && holder === quote.tx.from ? fee : 0n;
    return { succeeded, arrived: (await balanceOf(world.evm, token, holder)) - before + paid };
  });

describe('a fee that goes to the recipient of the output [F65]', () => {
  const fees = [1_000_000n, 100_000_000n, 999_999_999n];
  const swaps = (['ETH USDC', 'USDC ETH', 'WETH DAI'] as const).flatMap((pair) =>
    fees.map((fee) => [pair, fee] as const),
  );
  const tokenOf = (symbol: string) => (symbol === 'ETH' ? nativeToken : world.token(symbol));

  it.each(swaps)(
    '%s, %d billionths: is quoted as it is priced, and executes',
    async (pair, fee) => {
      const [from, to] = pair.split(' ') as [string, string];
      const amountIn = from === 'USDC' ? 10n ** 9n : whole;
      const asked = { tokenIn: tokenOf(from), tokenOut: tokenOf(to), amountIn, fee };
      const price = await quotes.price(asked);
      for (const to of [undefined, recipient]) {
        const feeRecipient = to ?? sender;
        const terms = { ...asked, sender, recipient: to, feeRecipient, maxSlippage: exactly };
        const quote = await ask(terms);
        const { expectedAmountOut, feeAmount = 0n } = quote;
        expect({ expectedAmountOut, feeAmount }).toEqual({
          expectedAmountOut: price.status === 'NoRoute' ? undefined : price.expectedAmountOut,
          feeAmount: price.status === 'NoRoute' ? undefined : (price.feeAmount ?? 0n),
        });
        const arrived = expectedAmountOut + feeAmount;
        expect(await execute(quote, feeRecipient)).toEqual({ succeeded: true, arrived });
      }
    },
  );

  it.each(fees)('of a taxed token, %d billionths: keeps its minimum', async (fee) => {
    const tokens = { tokenIn: nativeToken, tokenOut: world.token('TAX'), amountIn: whole / 7n };
    const terms = { ...tokens, sender, fee, feeRecipient: sender, maxSlippage: exactly };
    const quote = await ask(terms);
    expect((await execute(quote)).succeeded).toBe(true);
  });
});

const hostileCode = compileContract('HostileToken');
const megabyte = 2n ** 20n;
const modes = { reverts: 1n, longBalance: 2n, everyBalance: 3n, delivers: 4n, unready: 5n };

/** A token in a pair with wrapped ether, which then departs from ERC-20. */
async function addHostile(mode: bigint, parameter = 0n): Promise<Address> {
  const { evm } = world;
  const symbol = `HOST${mode}-${parameter}`;
  const { address } = await createToken(evm, { name: symbol, symbol, decimals: 18 });
  await addConstantProductPool(evm, {
    tokens: [world.token('WETH'), address],
    reserves: [10n * whole, 10_000n * whole],
  });
  const args = encodeAbiParameters(parseAbiParameters('uint256, uint256'), [mode, parameter]);
  const call = { data: `${hostileCode}${args.slice(2)}` };
  const code = await evm.request({ method: 'eth_call', params: [call, 'latest'] });
  await evm.request({ method: 'hardhat_setCode', params: [address, code] });
  return parseAddress(address);
}

const buying = (token: Address): AskedQuote => ({
  ...{ tokenIn: nativeToken, tokenOut: token, amountIn: 10n ** 15n, sender },
});
const selling = (token: Address): AskedQuote => ({
  ...{ tokenIn: token, tokenOut: nativeToken, amountIn: whole, sender },
});

describe('a token that makes a trial fail', () => {
  it.each([
    ['reverts with a megabyte', modes.reverts, megabyte],
    ['answers every balance with 2^256 - 1', modes.everyBalance, 0n],
  ])('because it %s has no route, or is said to be untried [F68]', async (_what, ...how) => {
    const token = await addHostile(...how);
    for (const router of [undefined, 'v2-router']) {
      expect(await quotes.quote({ ...buying(token), router })).toMatchObject({
        status: 'NoRoute',
        reason: expect.any(String),
      });
      const sold = await quotes.quote({ ...selling(token), router });
      if (sold.status !== 'NoRoute') {
        expect(sold).toMatchObject({ issues: { simulationIncomplete: true } });
      }
    }
  });

  it('is no endpoint that fails, however long its balances are [F68]', async () => {
    const token = await addHostile(modes.longBalance, megabyte);
    const tried = await ask(buying(token));
    expect(tried).not.toHaveProperty('issues');
    // The expected output is a word of what the token answers, and not all of it.
    expect(tried.expectedAmountOut).toBeLessThan(whole);
    expect(['Successful', 'NoRoute']).toContain((await quotes.quote(selling(token))).status);
  });

  it('leaves a quote that was tried without a word about it [F68]', async () => {
    expect(await ask(buying(world.token('USDC')))).not.toHaveProperty('issues');
  });
});

describe('a swap that brings the recipient nothing', () => {
  it('of a token that taxes all of it has no route [F69]', async () => {
    const token = await addHostile(modes.delivers, 0n);
    expect(await quotes.quote(buying(token))).toMatchObject({ status: 'NoRoute' });
  });

  const reserved = ['1', '2'].map((digit) => parseAddress(`0x${digit.padStart(40, '0')}`));

  it.each(reserved)('is refused where the router pays somebody else than %s [F69]', async (to) => {
    const asked = { ...buying(world.token('USDC')), recipient: to };
    await expect(quotes.quote({ ...asked, router: 'swap-router-02' })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      details: { recipient: expect.stringContaining('somebody else') },
    });
    const quote = await ask(asked);
    expect(await execute(quote, to)).toEqual({ succeeded: true, arrived: quote.expectedAmountOut });
  });
});

it('a token that delivers more than was sent is quoted with a minimum that the pools pay [F71]', async () => {
  const token = await addHostile(modes.delivers, 1_100n);
  const quote = await ask({ ...buying(token), maxSlippage: exactly });
  expect(quote.minAmountOut).toBeLessThan(quote.expectedAmountOut);
  expect(await execute(quote)).toEqual({ succeeded: true, arrived: quote.expectedAmountOut });
});

it('the fee of a taxed token is what its recipient receives, but for the rounding of the tax [F72]', async () => {
  const tokens = { tokenIn: nativeToken, tokenOut: world.token('TAX'), amountIn: whole / 7n };
  const fee = 100_000_000n;
  const quote = await ask({ ...tokens, sender, fee, feeRecipient: recipient });
  const { succeeded, arrived } = await execute(quote, recipient);
  expect(succeeded).toBe(true);
  expect(Number(arrived - (quote.feeAmount ?? 0n))).toBeCloseTo(0, -1);
});

describe('a token', () => {
  /** Answers `totalSupply()` with one, and does something else for all else. */
  const answering = (destination: string, other: string) =>
    `0x5f3560e01c6318160ddd1460${destination}57${other}5b60015f5260205ff3`;

  it.each([
    ['reverts', 991n, answering('11', '5f5ffd')],
    ['never ends', 992n, answering('12', '5b600e56')],
  ])(
    'whose decimals() %s is refused, since nobody knows what an amount of it is [F98]',
    async (_how, parameter, code) => {
      const token = await addHostile(modes.delivers, parameter);
      await world.evm.request({ method: 'hardhat_setCode', params: [token, code] });
      const own = await openQuotes({ deployment: ethereum, urls: [world.server.url] });
      const refusal = { code: 'INVALID_PARAMS', details: { token } };
      await expect(own.quote(buying(token))).rejects.toMatchObject(refusal);
      const { sender: _, ...price } = buying(token);
      await expect(own.price(price)).rejects.toMatchObject(refusal);
      await own.close();
    },
  );

  it('is found in the block in which it was created, whatever block is in memory [F101]', async () => {
    await ask(buying(world.token('USDC')));
    await quotes.warm();
    await world.evm.request({ method: 'evm_mine' });
    const first = await addHostile(modes.delivers, 993n);
    const { sender: _, ...price } = buying(first);
    expect(await quotes.price(price)).toMatchObject({ tokenTo: { address: first } });
    await quotes.warm();
    await world.evm.request({ method: 'evm_mine' });
    const second = await addHostile(modes.delivers, 994n);
    expect(await quotes.quote(buying(second))).toMatchObject({ tokenTo: { address: second } });
  });
});

it('what a token says before it is ready is asked again after a minute [F70]', async () => {
  const { evm } = world;
  const given = { name: 'LATE', symbol: 'LATE', decimals: 18 };
  const { address } = await createToken(evm, given);
  const ready = await evm.request({ method: 'eth_getCode', params: [address, 'latest'] });
  const args = encodeAbiParameters(parseAbiParameters('uint256, uint256'), [modes.unready, 0n]);
  const call = { data: `${hostileCode}${args.slice(2)}` };
  const unready = await evm.request({ method: 'eth_call', params: [call, 'latest'] });
  await evm.request({ method: 'hardhat_setCode', params: [address, unready] });
  const clock = createFakeClock(Date.now());
  const own = await openQuotes({ deployment: ethereum, urls: [world.server.url], clock });
  const describeToken = () =>
    own.chain.describeTokens([parseAddress(address)], AbortSignal.timeout(60_000));
  await own.chain.open(AbortSignal.timeout(60_000));
  expect(await describeToken()).toMatchObject([{ name: '', decimals: 0 }]);
  await evm.request({ method: 'hardhat_setCode', params: [address, ready] });
  clock.advance(61_000);
  expect(await describeToken()).toMatchObject([given]);
  await own.close();
});
