import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const boba = defineDeployment({
  chainId: 288,
  name: 'Boba Network',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000',
  baseTokens: [
    '0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000', // WETH
    '0x66a2A913e447d6b4BF33EFbec43aAeF87890FBbc', // USDC
    '0x5DE1677344D3Cb0D7D465c10b72A8f60699C062d', // USDT
    '0xdc0486f8bf31DF57a952bcd3c1d3e166e3d9eC8b', // WBTC
  ],
  rpcUrls: ['https://mainnet.boba.network'],
  l1Fee: 'op-stack',
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0xFFCd7Aed9C627E82A765c3247d562239507f6f1B',
      source: source.okuChains,
    },
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xc35DADB65012eC5796536bD9864eD8773aBc74C4',
      source: source.sushi,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x759E8B0cb9d65291e258aE3e043258ae1dD0df16',
      exchanges: ['uniswap-v3'],
      source: source.okuChains,
    },
    {
      kind: 'v2-router',
      address: '0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
