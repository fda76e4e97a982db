import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const harmony = defineDeployment({
  chainId: 1_666_600_000,
  name: 'Harmony One',
  nativeCurrency: { name: 'Harmony', symbol: 'ONE', decimals: 18 },
  wrappedNative: '0xcF664087a5bB0237a0BAd6742852ec6c8d69A27a',
  baseTokens: [
    '0xcF664087a5bB0237a0BAd6742852ec6c8d69A27a', // WONE
    '0x6983D1E6DEf3690C4d616b13597A09e6193EA013', // WETH
    '0x985458E523dB3d53125813eD68c274899e9DfAb4', // USDC
    '0x3C2B8Be99c50593081EAA2A724F0B8285F5aba8f', // USDT
  ],
  rpcUrls: ['https://1666600000.rpc.thirdweb.com'],
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
