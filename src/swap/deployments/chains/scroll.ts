import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const scroll = defineDeployment({
  chainId: 534_352,
  name: 'Scroll',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0x5300000000000000000000000000000000000004',
  baseTokens: [
    '0x5300000000000000000000000000000000000004', // WETH
    '0x06eFdBFf2a14a7c8E15944D1F4A48F9F95F663A4', // USDC
    '0xf55BEC9cafDbE8730f096Aa55dad6D22d44099Df', // USDT
    '0xcA77eB3fEFe3725Dc33bccB54eDEFc3D9f764f97', // DAI
    '0x3C1BCa5a656e69edCD0D4E36BEbb3FcDAcA60Cf1', // WBTC
  ],
  rpcUrls: ['https://rpc.scroll.io'],
  l1Fee: 'scroll',
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x70C62C8b8e801124A4Aa81ce07b637A3e83cb919',
      source: source.okuChains,
    },
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xB45e53277a7e0F1D35f2a77160e91e25507f1763',
      source: source.sushi,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0xfc30937f5cDe93Df8d48aCAF7e6f5D8D8A31F636',
      exchanges: ['uniswap-v3'],
      source: source.okuSdkCore,
    },
    {
      kind: 'v2-router',
      address: '0x9B3336186a38E1b6c21955d112dbb0343Ee061eE',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
