import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const haqq = defineDeployment({
  chainId: 11235,
  name: 'HAQQ Mainnet',
  nativeCurrency: { name: 'Islamic Coin', symbol: 'ISLM', decimals: 18 },
  wrappedNative: '0xeC8CC083787c6e5218D86f9FF5f28d4cC377Ac54',
  baseTokens: [
    '0xeC8CC083787c6e5218D86f9FF5f28d4cC377Ac54', // WISLM
    '0xecEEEfCEE421D8062EF8d6b4D814efe4dc898265', // WETH
    '0x80b5a32E4F032B2a058b4F29EC95EEfEEB87aDcd', // USDC
    '0xd567B3d7B8FE3C79a1AD8dA978812cfC4Fa05e75', // USDT
    '0x5FD55A1B9FC24967C4dB09C513C3BA0DFa7FF687', // WBTC
  ],
  rpcUrls: ['https://rpc.eth.haqq.network'],
  exchanges: [
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xB45e53277a7e0F1D35f2a77160e91e25507f1763',
      source: source.sushi,
    },
  ],
  routers: [
    {
      kind: 'v2-router',
      address: '0x9B3336186a38E1b6c21955d112dbb0343Ee061eE',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
