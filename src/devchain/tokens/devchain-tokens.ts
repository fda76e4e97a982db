import { uniswapDeployment } from '../uniswap-deployment.ts';
import type { TokenOptions } from './create-token.ts';

/** A token of the development chain, and what its pools and its holders start from. */
export type DevchainToken = TokenOptions & {
  /** What one whole token is worth in the pools, in whole dollars. */
  readonly dollars: bigint;
  /** What each test account holds, in whole tokens. */
  readonly grant: bigint;
  /** Routes may pass through it. */
  readonly isBase?: true;
};

/** Well-known tokens at their mainnet addresses, then one of each oddity under a telling name. */
export const devchainTokens = [
  {
    symbol: 'WETH',
    name: 'Wrapped Ether',
    decimals: 18,
    address: uniswapDeployment.wrappedNative,
    dollars: 3_000n,
    grant: 100n,
    isBase: true,
  },
  {
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    kind: 'permitted',
    address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    dollars: 1n,
    grant: 1_000_000n,
    isBase: true,
  },
  {
    symbol: 'USDT',
    name: 'Tether USD',
    decimals: 6,
    kind: 'no-return',
    address: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    dollars: 1n,
    grant: 1_000_000n,
    isBase: true,
  },
  {
    symbol: 'DAI',
    name: 'Dai Stablecoin',
    decimals: 18,
    address: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
    dollars: 1n,
    grant: 1_000_000n,
    isBase: true,
  },
  {
    symbol: 'WBTC',
    name: 'Wrapped BTC',
    decimals: 8,
    address: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
    dollars: 60_000n,
    grant: 10n,
    isBase: true,
  },
  {
    symbol: 'UNI',
    name: 'Uniswap',
    decimals: 18,
    address: '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984',
    dollars: 8n,
    grant: 100_000n,
  },
  {
    symbol: 'MKR',
    name: 'Maker',
    decimals: 18,
    kind: 'bytes32-metadata',
    address: '0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2',
    dollars: 1_500n,
    grant: 1_000n,
  },
  {
    symbol: 'TAX',
    name: 'Taxed Token',
    decimals: 18,
    kind: 'taxed',
    taxBps: 200,
    dollars: 1n,
    grant: 1_000_000n,
  },
  {
    symbol: 'FROZEN',
    name: 'Frozen Token',
    decimals: 18,
    kind: 'failing',
    dollars: 1n,
    grant: 1_000_000n,
  },
  { symbol: 'SCARCE', name: 'Scarce Token', decimals: 18, dollars: 10n, grant: 1_000_000n },
  { symbol: 'LONELY', name: 'Lonely Token', decimals: 18, dollars: 1n, grant: 1_000_000n },
] as const satisfies readonly DevchainToken[];

export type DevchainSymbol = (typeof devchainTokens)[number]['symbol'];
