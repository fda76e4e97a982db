import type { ConcentratedFee } from '../known-exchanges.ts';
import type { DevchainSymbol } from '../tokens.ts';

export type DevchainPool = {
  readonly tokens: readonly [DevchainSymbol, DevchainSymbol];
  /** Of a pool with ticks; a V2 pool has none to choose. */
  readonly fee?: ConcentratedFee;
  /** Where it is, if not in Uniswap V2 or V3. */
  readonly exchange?: 'pancakeswap-v3' | 'uniswap-v4';
  /** Set where the native currency itself stands in for WETH, as only Uniswap V4 can. */
  readonly isNative?: true;
  /** The worth of what lies on each side, in thousands of dollars. */
  readonly depth: bigint;
  /**
   * By how many millionths the first token is dearer here than its worth. Prices differ a little from
   * pool to pool, within the fees, as they do on a market.
   */
  readonly premium: bigint;
  /** One position close around the price and nothing beyond: liquidity that a large trade exhausts. */
  readonly isNarrow?: true;
};

export const devchainPools: readonly DevchainPool[] = [
  { tokens: ['WETH', 'USDC'], depth: 8_000n, premium: 310n },
  { tokens: ['WETH', 'USDT'], depth: 6_000n, premium: -420n },
  { tokens: ['WETH', 'DAI'], depth: 4_000n, premium: 150n },
  { tokens: ['WETH', 'WBTC'], depth: 5_000n, premium: -270n },
  { tokens: ['WETH', 'UNI'], depth: 1_000n, premium: 540n },
  { tokens: ['USDC', 'USDT'], depth: 2_000n, premium: -90n },
  { tokens: ['USDC', 'DAI'], depth: 1_000n, premium: 120n },
  { tokens: ['USDC', 'UNI'], depth: 300n, premium: -560n },
  { tokens: ['WETH', 'USDC'], fee: 500, depth: 10_000n, premium: 40n },
  { tokens: ['WETH', 'USDC'], fee: 3000, depth: 5_000n, premium: -380n },
  { tokens: ['WETH', 'USDC'], fee: 10000, depth: 500n, premium: 1_600n },
  { tokens: ['WETH', 'USDT'], fee: 500, depth: 4_000n, premium: -70n },
  { tokens: ['WETH', 'USDT'], fee: 3000, depth: 3_000n, premium: 460n },
  { tokens: ['WETH', 'DAI'], fee: 3000, depth: 2_000n, premium: -510n },
  { tokens: ['WETH', 'WBTC'], fee: 500, depth: 5_000n, premium: 90n },
  { tokens: ['WETH', 'WBTC'], fee: 3000, depth: 5_000n, premium: 330n },
  { tokens: ['WETH', 'UNI'], fee: 3000, depth: 1_000n, premium: -290n },
  { tokens: ['USDC', 'USDT'], fee: 100, depth: 5_000n, premium: 15n },
  { tokens: ['USDC', 'DAI'], fee: 100, depth: 4_000n, premium: -18n },
  { tokens: ['DAI', 'USDT'], fee: 100, depth: 1_500n, premium: 11n },
  { tokens: ['WBTC', 'USDC'], fee: 3000, depth: 1_500n, premium: 480n },
  { tokens: ['UNI', 'USDC'], fee: 10000, depth: 200n, premium: -1_400n },
  { tokens: ['WETH', 'USDC'], fee: 500, depth: 3_000n, premium: -120n, exchange: 'pancakeswap-v3' },
  { tokens: ['USDC', 'USDT'], fee: 100, depth: 1_500n, premium: -25n, exchange: 'pancakeswap-v3' },
  {
    tokens: ['WETH', 'USDC'],
    fee: 500,
    depth: 4_000n,
    premium: 130n,
    exchange: 'uniswap-v4',
    isNative: true,
  },
  { tokens: ['WETH', 'USDT'], fee: 3000, depth: 1_000n, premium: 260n, exchange: 'uniswap-v4' },
  { tokens: ['USDC', 'DAI'], fee: 100, depth: 2_000n, premium: 14n, exchange: 'uniswap-v4' },
  {
    tokens: ['WBTC', 'WETH'],
    fee: 3000,
    depth: 2_000n,
    premium: -190n,
    exchange: 'uniswap-v4',
    isNative: true,
  },
  { tokens: ['WETH', 'MKR'], depth: 500n, premium: 230n },
  { tokens: ['WETH', 'MKR'], fee: 3000, depth: 700n, premium: -340n },
  { tokens: ['WETH', 'TAX'], depth: 300n, premium: 0n },
  { tokens: ['USDC', 'TAX'], depth: 200n, premium: 450n },
  { tokens: ['WETH', 'FROZEN'], depth: 300n, premium: 0n },
  { tokens: ['SCARCE', 'USDC'], fee: 3000, depth: 50n, premium: 0n, isNarrow: true },
];
