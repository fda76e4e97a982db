import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const rootstock = defineDeployment({
  chainId: 30,
  name: 'Rootstock Mainnet',
  nativeCurrency: { name: 'Rootstock Bitcoin', symbol: 'RBTC', decimals: 18 },
  wrappedNative: '0x542fDA317318eBF1d3DEAf76E0b632741A7e677d',
  baseTokens: [
    '0x542fDA317318eBF1d3DEAf76E0b632741A7e677d', // WRBTC
    '0x2F6F07CDcf3588944Bf4C42aC74ff24bF56e7590', // WETH
    '0x1BDA44fda023f2aF8280A16FD1b01d1a493BA6C4', // USDC
    '0xef213441A85dF4d7ACbDaE0Cf78004e1E486bB96', // USDT
    '0x779Ded0c9e1022225f8E0630b35a9b54bE713736', // USDT0
  ],
  rpcUrls: ['https://public-node.rsk.co'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0xaF37EC98A00FD63689CF3060BF3B6784E00caD82',
      source: source.uniswapSdkCore,
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
      address: '0x0B14ff67f0014046b4b99057Aec4509640b3947A',
      exchanges: ['uniswap-v3'],
      source: source.uniswapSdkCore,
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
