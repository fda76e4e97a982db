import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const celo = defineDeployment({
  chainId: 42220,
  name: 'Celo',
  nativeCurrency: { name: 'CELO', symbol: 'CELO', decimals: 18 },
  wrappedNative: '0x471EcE3750Da237f93B8E339c536989b8978a438',
  nativeIsToken: true,
  baseTokens: [
    '0x471EcE3750Da237f93B8E339c536989b8978a438', // CELO
    '0x66803FB87aBd4aaC3cbB3fAd7C3aa01f6F3FB207', // WETH
    '0xcebA9300f2b948710d2653dD7B07f33A8B32118C', // USDC
    '0x48065fbBE25f71C9282ddf5e1cD6D6A887483D5e', // USDT
    '0x765DE816845861e75A25fCA122bb6898B8B1282a', // cUSD
  ],
  rpcUrls: ['https://forno.celo.org'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0xAfE208a311B21f13EF87E33A90049fC17A7acDEc',
      source: source.uniswapSdkCore,
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
      address: '0x5615CDAb10dc425a742d643d949a7F474C01abc4',
      exchanges: ['uniswap-v3'],
      source: source.uniswapContracts,
    },
    {
      kind: 'v2-router',
      address: '0xB45e53277a7e0F1D35f2a77160e91e25507f1763',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
