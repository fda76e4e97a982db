import { describe, expect, it } from 'vitest';
import { routedAnswer as quote, unroutedAnswer } from '../../../tests/support/swap-interface.ts';
import { type Route, renderAmount, renderQuote, renderRoute } from './quote.ts';

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

  it('says of wrapping that it is one for one, and nothing of pools', () => {
    const optimality = { ...quote.optimality!, pools: 0 };
    expect(renderQuote({ quote: { ...quote, optimality }, ...view })).toContain(
      'Best        one for one, which nothing betters',
    );
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

const token = (symbol: string, digit: string) => ({
  address: `0x${digit.repeat(40)}`,
  symbol,
  name: symbol,
  decimals: 18,
});
const [eth, usdc, wbtc, unlisted] = [
  token('ETH', 'e'),
  token('USDC', 'c'),
  token('WBTC', 'b'),
  token('NONE', 'd'),
];

type Hop = readonly [exchange: string, tokenOut: { address: string }];

function route(...paths: [share: number, ...Hop[]][]): Route {
  return {
    tokenFrom: eth,
    tokenTo: usdc,
    tokens: [eth, usdc, wbtc],
    route: paths.flatMap(([share, ...hops], path) =>
      hops.map(([exchange, { address }], index) => ({
        path,
        pool: `0x${path}${index}${'a'.repeat(38)}`,
        exchange,
        tokenIn: eth.address,
        tokenOut: address,
        share,
        amountIn: '1',
        amountOut: '1',
      })),
    ),
  };
}

const draw = (quote: Route, width = 80) => `\n${renderRoute(quote, width).join('\n')}\n`;

describe('renderRoute', () => {
  it('draws one pool', () => {
    expect(draw(route([1, ['uniswap-v3', usdc]]))).toBe(`
              ┌ uniswap-v3 ─┐
ETH ─── 100% ─┤ 0x00aa…aaaa ├─── USDC
              └─────────────┘
`);
  });

  it('draws a split with a path through another token, the largest share first', () => {
    const split = route(
      [0.3, ['uniswap-v2', wbtc], ['sushiswap-v2', usdc]],
      [0.62, ['uniswap-v3', usdc]],
      [0.08, ['v2', usdc]],
    );
    expect(draw(split)).toBe(`
             ┌ uniswap-v3 ─┐
ETH ─┬─ 62% ─┤ 0x10aa…aaaa ├─────────────────────────┬─ USDC
     │       └─────────────┘                         │
     │       ┌ uniswap-v2 ─┐        ┌ sushiswap-v2 ┐ │
     ├─ 30% ─┤ 0x00aa…aaaa ├─ WBTC ─┤ 0x01aa…aaaa  ├─┤
     │       └─────────────┘        └──────────────┘ │
     │       ┌ v2 ─────────┐                         │
     └─  8% ─┤ 0x20aa…aaaa ├─────────────────────────┘
             └─────────────┘
`);
  });

  it('lists the paths, the largest share first, where the picture does not fit', () => {
    const long = route([0.4, ['uniswap-v2', wbtc], ['v3', usdc]], [0.6, ['v3', usdc]]);
    expect(draw(long, 40)).toBe(`
60% of ETH
  v3 0x10aa…aaaa → USDC
40% of ETH
  uniswap-v2 0x00aa…aaaa → WBTC
  v3 0x01aa…aaaa → USDC
`);
  });

  it('keeps within the width it is given', () => {
    const wide = route([1, ['v3', wbtc], ['v3', wbtc], ['v3', wbtc], ['v3', usdc]]);
    for (const width of [30, 60, 100, 120]) {
      expect(Math.max(...renderRoute(wide, width).map(({ length }) => length))).toBeLessThanOrEqual(
        width,
      );
    }
    expect(draw(wide, 120)).toContain('┌');
  });

  it('shows a tiny share as more than 0% and a nearly whole one as less than 100%', () => {
    const picture = draw(route([0.99987, ['v3', usdc]], [0.00013, ['v3', usdc]]));
    expect(picture).toContain(' 99.99% ');
    expect(picture).toContain(' 0.01% ');
    const tiny = draw(route([0.999999997, ['v3', usdc]], [0.000000003, ['v3', usdc]]), 0);
    expect(tiny).toContain('over 99.99% of ETH\n');
    expect(tiny).toContain('under 0.01% of ETH\n');
  });

  it('shows a token it knows no symbol of by its address', () => {
    expect(draw(route([1, ['v3', unlisted], ['v3', usdc]]))).toContain('─ 0xdddd…dddd ─');
  });

  it('shows a mere wrapping of the native token as 1:1', () => {
    expect(renderRoute(route(), 80)).toEqual(['ETH ── 1:1, wrapped token ── USDC']);
  });

  it('removes control characters from names on the chain', () => {
    const evil = { ...eth, symbol: '\u001b[2J\u202eETH' };
    const picture = draw({ ...route([1, ['\u0007v3', usdc]]), tokenFrom: evil });
    expect(picture.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
  });
});

describe('renderAmount', () => {
  it.each([
    [0n, 18, '0'],
    [10n ** 18n, 18, '1'],
    [2_990_950_000n, 6, '2,990.95'],
    [1_234_567_891_234_567_890n, 6, '1,234,567,891,234'],
    [1_999_999_999_999_999_999n, 18, '1.9999999'],
    [1n, 18, '0.000000000000000001'],
    [123_456_789_012n, 18, '0.00000012345678'],
    [42n, 0, '42'],
  ])('shows %d with %d decimals as %s', (units, decimals, text) => {
    expect(renderAmount(units, decimals)).toBe(text);
  });
});
