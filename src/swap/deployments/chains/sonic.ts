import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const sonic = defineDeployment({
  chainId: 146,
  name: 'Sonic',
  nativeCurrency: { name: 'Sonic', symbol: 'S', decimals: 18 },
  wrappedNative: '0x039e2fB66102314Ce7b64Ce5Ce3E5183bc94aD38',
  baseTokens: [
    '0x039e2fB66102314Ce7b64Ce5Ce3E5183bc94aD38', // wS
    '0x50c42dEAcD8Fc9773493ED674b675bE577f2634b', // WETH
    '0x29219dd400f2Bf60E5a23d13Be72B486D4038894', // USDC.e
  ],
  rpcUrls: ['https://rpc.soniclabs.com'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0xcb2436774C3e191c85056d248EF4260ce5f27A9D',
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
      address: '0xaa52bB8110fE38D0d2d2AF0B85C3A3eE622CA455',
      exchanges: ['uniswap-v3'],
      source: source.okuSdks,
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
