import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const thundercore = defineDeployment({
  chainId: 108,
  name: 'ThunderCore Mainnet',
  nativeCurrency: { name: 'TT', symbol: 'TT', decimals: 18 },
  wrappedNative: '0x413cEFeA29F2d07B8F2acFA69d92466B9535f717',
  baseTokens: [
    '0x413cEFeA29F2d07B8F2acFA69d92466B9535f717', // WTT
    '0x6576Bb918709906DcbFDCeae4bB1e6df7C8a1077', // WETH
    '0x22e89898A04eaf43379BeB70bf4E38b1faf8A31e', // USDC
    '0x4f3C8E20942461e2c3Bdd8311AC57B0c222f2b82', // USDT
    '0x18fB0A62f207A2a082cA60aA78F47a1af4985190', // WBTC
  ],
  rpcUrls: ['https://mainnet-rpc.thundercore.com'],
  exchanges: [
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xB45e53277a7e0F1D35f2a77160e91e25507f1763',
      source: source.sushi,
    },
  ],
  routers: [
    {
      kind: 'v2-router',
      address: '0x9B3336186a38E1b6c21955d112dbb0343Ee061eE',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
