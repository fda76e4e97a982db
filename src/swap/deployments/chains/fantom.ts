import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const fantom = defineDeployment({
  chainId: 250,
  name: 'Fantom',
  nativeCurrency: { name: 'Fantom', symbol: 'FTM', decimals: 18 },
  wrappedNative: '0x21be370D5312f44cB42ce377BC9b8a0cEF1A4C83',
  baseTokens: [
    '0x21be370D5312f44cB42ce377BC9b8a0cEF1A4C83', // WFTM
    '0x1B6382DBDEa11d97f24495C9A90b7c88469134a4', // axlUSDC
  ],
  rpcUrls: ['https://250.rpc.thirdweb.com'],
  exchanges: [
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xc35DADB65012eC5796536bD9864eD8773aBc74C4',
      source: source.sushi,
    },
  ],
  routers: [
    {
      kind: 'v2-router',
      address: '0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
