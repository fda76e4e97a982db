import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const bobaBnb = defineDeployment({
  chainId: 56288,
  name: 'Boba BNB',
  nativeCurrency: { name: 'Boba', symbol: 'BOBA', decimals: 18 },
  wrappedNative: '0xC58aaD327D6D58D979882601ba8DDa0685B505eA',
  baseTokens: [
    '0xC58aaD327D6D58D979882601ba8DDa0685B505eA', // WBOBA
    '0x9F98f9F312D23d078061962837042b8918e6aff2', // USDC
    '0x1E633Dcd0d3D349126983D58988051F7c62c543D', // USDT
  ],
  rpcUrls: ['https://bnb.boba.network'],
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
  source: source.sushiChain,
});
