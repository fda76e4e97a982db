import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const core = defineDeployment({
  chainId: 1116,
  name: 'Core Dao',
  nativeCurrency: { name: 'Core', symbol: 'CORE', decimals: 18 },
  wrappedNative: '0x40375C92d9FAf44d2f9db9Bd9ba41a3317a2404f',
  baseTokens: [
    '0x40375C92d9FAf44d2f9db9Bd9ba41a3317a2404f', // WCORE
    '0xeAB3aC417c4d6dF6b143346a46fEe1B847B50296', // WETH
    '0xa4151B2B3e269645181dCcF2D426cE75fcbDeca9', // USDC
    '0x900101d06A7426441Ae63e9AB3B9b0F63Be145F1', // USDT
  ],
  rpcUrls: ['https://rpc.coredao.org'],
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
