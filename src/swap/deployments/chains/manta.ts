import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const manta = defineDeployment({
  chainId: 169,
  name: 'Manta Pacific Mainnet',
  nativeCurrency: { name: 'ETH', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0x0Dc808adcE2099A9F62AA87D9670745AbA741746',
  baseTokens: [
    '0x0Dc808adcE2099A9F62AA87D9670745AbA741746', // WETH
    '0xb73603C5d87fA094B7314C74ACE2e64D165016fb', // USDC
    '0xf417F5A458eC102B90352F697D6e2Ac3A3d2851f', // USDT
    '0x305E88d809c9DC03179554BFbf85Ac05Ce8F18d6', // WBTC
  ],
  rpcUrls: ['https://pacific-rpc.manta.network/http'],
  l1Fee: 'op-stack',
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x06D830e15081f65923674268121FF57Cc54e4e23',
      source: source.okuChains,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x94AA89D2fAB79D4D2B301848748806f6209D60F1',
      exchanges: ['uniswap-v3'],
      source: source.okuSdkCore,
    },
  ],
  source: source.viemAndSushi,
});
