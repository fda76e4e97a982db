import { describe, expect, it } from 'vitest';
import { type Route, renderRoute } from './route.ts';

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
