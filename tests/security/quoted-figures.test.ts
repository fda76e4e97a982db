import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ethereum } from '../../src/swap/deployments/chains/ethereum.ts';
import { executorBuilds } from '../../src/swap/executor/executor-builds.ts';
import { parseAddress } from '../../src/swap/model/address.ts';
import type { RoutedQuote } from '../../src/swap/quote/quote.ts';
import { nativeToken } from '../../src/swap/tokens/native-token.ts';
import { balanceOf, prepareSender, send, undone } from '../support/execute-quote.ts';
import { type AskedQuote, openQuotes, type Quotes } from '../support/open-quotes.ts';
import { openWorld, type World } from '../support/open-world.ts';

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
