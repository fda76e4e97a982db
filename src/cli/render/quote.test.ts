import { describe, expect, it } from 'vitest';
import { routedAnswer as quote, unroutedAnswer } from '../../../tests/support/swap-interface.ts';
import { renderQuote } from './quote.ts';

const view = { nativeSymbol: 'ETH', width: 80 };
const execution = {
  transactionHash: '0xabc',
  blockNumber: 1n,
  gasUsed: 180_123n,
  received: 2_990_950_000n,
} as const;

describe('renderQuote', () => {
  it('shows the output of the swap, its route and its conditions', () => {
    expect(renderQuote({ quote, ...view })).toBe(`
  1 ETH → 2,990.95 USDC

               ┌ uniswap-v3 ─┐
  ETH ─┬─ 70% ─┤ 0x88e6…5640 ├─┬─ USDC
       │       └─────────────┘ │
       │       ┌ uniswap-v2 ─┐ │
       └─ 30% ─┤ 0xB4e1…C9Dc ├─┘
               └─────────────┘

  Price       1 ETH = 2,990.95 USDC
  Impact      0.31%
  Minimum     2,975.9952 USDC
  Gas         at most 231,000, which is 0.0003465 ETH
  Best        at most 0.00007 bps below the best over the 22 pools that were read
  Block       23000000
  Valid       until 2030-01-01T00:20:00.000Z

`);
  });

  it('shows the received amount and its difference from the quote', () => {
    const exact = renderQuote({ quote, execution, ...view });
    expect(exact).toContain('Received    2,990.95 USDC');
    expect(exact).toContain('Difference  none');
    const less = renderQuote({
      quote,
      execution: { ...execution, received: 2_990_949_000n },
      ...view,
    });
    expect(less).toContain('Difference  -1,000 of the smallest unit');
  });

  it('says what a partial fill and a needed approval mean', () => {
    const text = renderQuote({
      quote: { ...quote, status: 'Partial', approval: [quote.tx!, quote.tx!] },
      ...view,
    });
    expect(text).toContain('all that the pools can take');
    expect(text).toContain('Approval    2 transactions before the swap');
  });

  it('says that a permit is to be signed, and that it was', () => {
    const domain = { name: 'USDC', verifyingContract: quote.tokenTo!.address };
    const typedData = { domain, types: {}, primaryType: 'Permit', message: {} };
    const permitted = { ...quote, permit: { kind: 'eip2612', typedData } } as const;
    expect(renderQuote({ quote: permitted, ...view })).toContain(
      'Permit      eip2612, to be signed',
    );
    const signed = renderQuote({ quote: permitted, execution, ...view });
    expect(signed).toContain('Permit      eip2612, signed\n');
  });

  it('says why there is no route', () => {
    expect(renderQuote({ quote: unroutedAnswer, ...view })).toBe(
      'No route: No pool connects ETH and USDC.\n',
    );
  });

  it('omits fields that the server does not return', () => {
    const { tokenFrom, tokenTo, amountIn, expectedAmountOut } = quote;
    const bare = { status: 'Successful', tokenFrom, tokenTo, amountIn, expectedAmountOut } as const;
    const text = renderQuote({ quote: bare, ...view });
    expect(text).toContain('1 ETH → 2,990.95 USDC');
    expect(text).not.toMatch(/undefined|NaN|Gas|Best/);
  });
});
