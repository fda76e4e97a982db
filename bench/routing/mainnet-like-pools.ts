import type { Address } from '../../src/swap/model.ts';
import {
  makePair,
  makeRangePool,
  numberedAddress,
  type PoolSet,
  type RangeOrigin,
  type Token,
  type UniswapState,
} from './pool-set.ts';

const token = (symbol: string, address: string, decimals: number, usd: number): Token => ({
  symbol,
  address: address as Address,
  decimals,
  usd,
});

export const mainnetTokens = {
  WETH: token('WETH', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 18, 3000),
  USDC: token('USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6, 1),
  USDT: token('USDT', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 6, 1),
  DAI: token('DAI', '0x6B175474E89094C44Da98b954EedeAC495271d0F', 18, 1),
  WBTC: token('WBTC', '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 8, 60000),
  UNI: token('UNI', '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984', 18, 8),
};

type Symbol = keyof typeof mainnetTokens;

/** The token sold, the token bought, and the amount sold in whole tokens. */
export const trades: readonly (readonly [Symbol, Symbol, number])[] = [
  ['WETH', 'USDC', 1],
  ['WETH', 'USDC', 100],
  ['WETH', 'USDC', 1000],
  ['WETH', 'USDC', 4000],
  ['USDC', 'WETH', 1e6],
  ['UNI', 'DAI', 1000],
  ['UNI', 'DAI', 50000],
  ['WBTC', 'USDT', 10],
  ['WBTC', 'USDT', 150],
  ['USDC', 'DAI', 1e6],
  ['DAI', 'USDT', 4e6],
  ['USDT', 'UNI', 2e5],
  ['DAI', 'WBTC', 2e6],
];

const pairs: readonly (readonly [Symbol, Symbol, number])[] = [
  ['WETH', 'USDC', 8e6],
  ['WETH', 'USDT', 6e6],
  ['WETH', 'DAI', 4e6],
  ['WETH', 'WBTC', 5e6],
  ['WETH', 'UNI', 1e6],
  ['USDC', 'USDT', 2e6],
  ['USDC', 'DAI', 1e6],
  ['USDC', 'UNI', 3e5],
];

const rangePools: readonly (readonly [Symbol, Symbol, number, number])[] = [
  ['WETH', 'USDC', 500, 2e7],
  ['WETH', 'USDC', 3000, 1e7],
  ['WETH', 'USDT', 500, 8e6],
  ['WETH', 'USDT', 3000, 6e6],
  ['WETH', 'DAI', 3000, 4e6],
  ['WETH', 'WBTC', 500, 1e7],
  ['WETH', 'WBTC', 3000, 1e7],
  ['WETH', 'UNI', 3000, 2e6],
  ['USDC', 'USDT', 100, 1e7],
  ['USDC', 'DAI', 100, 8e6],
  ['DAI', 'USDT', 100, 3e6],
  ['WBTC', 'USDC', 3000, 3e6],
  ['UNI', 'USDC', 10000, 4e5],
  ['WETH', 'USDC', 10000, 1e6],
];

/**
 * Eight V2 and fourteen V3 pools over six tokens, each pool with a price of its own. With `arbitrage` the prices
 * differ by more than the fees, so that closed walks gain.
 */
export function mainnetLikePools(seed: number, { arbitrage }: { arbitrage: boolean }): PoolSet {
  let last = seed >>> 0;
  const random = () => {
    last = (Math.imul(last, 1664525) + 1013904223) >>> 0;
    return last / 2 ** 32;
  };
  const pools: UniswapState[] = [];
  const ranges = new Map<Address, RangeOrigin>();
  for (const [a, b, usd] of pairs) {
    const skew = 1 + (random() - 0.5) * (arbitrage ? 0.006 : 0.0012);
    const [first, second] = [mainnetTokens[a], mainnetTokens[b]];
    const address = numberedAddress(0x1000 + pools.length);
    pools.push(makePair(address, { token: first, usd }, { token: second, usd: usd * skew }));
  }
  for (const [a, b, fee, usd] of rangePools) {
    const skew = 1 + (random() - 0.5) * (arbitrage ? 0.004 : fee * 4e-7);
    const address = numberedAddress(0x1000 + pools.length);
    const tokens = [mainnetTokens[a], mainnetTokens[b]] as const;
    const made = makeRangePool({ address, tokens, fee, usd, skew, random });
    pools.push(made.state);
    ranges.set(address, made);
  }
  return { tokens: Object.values(mainnetTokens), pools, ranges };
}
