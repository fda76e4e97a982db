import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const arbitrumNova = defineDeployment({
  chainId: 42170,
  name: 'Arbitrum Nova',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0x722E8BdD2ce80A4422E880164f2079488e115365',
  baseTokens: [
    '0x722E8BdD2ce80A4422E880164f2079488e115365', // WETH
    '0x750ba8b76187092B0D1E87E28daaf484d1b5273b', // USDC
    '0xeD9d63a96c27f87B07115b56b2e3572827f21646', // USDT
    '0x1d05e4e72cD994cdF976181CfB0707345763564d', // WBTC
  ],
  rpcUrls: ['https://nova.arbitrum.io/rpc'],
  l1Fee: 'arbitrum',
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
