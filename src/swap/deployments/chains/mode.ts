import { defineDeployment, source } from '../define-deployment.ts';

export const mode = defineDeployment({
  chainId: 34443,
  name: 'Mode Mainnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0x4200000000000000000000000000000000000006',
  baseTokens: [
    '0x4200000000000000000000000000000000000006', // WETH
    '0xd988097fb8612cc24eeC14542bC03424c656005f', // USDC
    '0xf0F161fDA2712DB8b566946122a5af183995e2eD', // USDT
    '0xcDd475325D6F564d27247D1DddBb0DAc6fA0a5CF', // WBTC
  ],
  rpcUrls: ['https://mainnet.mode.network'],
  l1Fee: 'op-stack',
  exchanges: [
    {
      name: 'swapmode-v3',
      kind: 'concentrated',
      factory: '0x6E36FC34eA123044F278d3a9F3819027B21c9c32',
      feeTiers: [
        { fee: 80, tickSpacing: 1 },
        { fee: 450, tickSpacing: 10 },
        { fee: 2500, tickSpacing: 60 },
        { fee: 10_000, tickSpacing: 200 },
      ],
      initCodeHash: '0x4adf6002ac7c691132e09e25068a1ddc77accbf11c16b012cc95b7d1842a0af9',
      source: source.baseswapV3Sdk,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x7107112065dAF2EEedD56B06cdF185f3eFFF516D',
      exchanges: ['swapmode-v3'],
      source: source.baseswapSdkCore,
    },
  ],
  source: source.viemAndSushi,
});
