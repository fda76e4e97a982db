import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const xLayer = defineDeployment({
  chainId: 196,
  name: 'X Layer Mainnet',
  nativeCurrency: { name: 'OKB', symbol: 'OKB', decimals: 18 },
  wrappedNative: '0xe538905cf8410324e03A5A23C1c177a474D59b2b',
  baseTokens: [
    '0xe538905cf8410324e03A5A23C1c177a474D59b2b', // WOKB
    '0x5A77f1443D16ee5761d310e38b62f77f726bC71c', // WETH
    '0x74b7F16337b8972027F6196A17a631aC6dE26d22', // USDC
    '0x1E4a5963aBFD975d8c9021ce480b42188849D41d', // USDT
    '0x779Ded0c9e1022225f8E0630b35a9b54bE713736', // USDT0
  ],
  rpcUrls: ['https://xlayerrpc.okx.com'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x4B2ab38DBF28D31D467aA8993f6c2585981D6804',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.uniswapV2,
      factory: '0xDf38F24fE153761634Be942F9d859f3DBA857E95',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.uniswapV4,
      factory: '0x360E68faCcca8cA495c1B759Fd9EEe466db9FB32',
      source: source.uniswapSdkCore,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x4f0C28f5926AFDA16bf2506D5D9e57Ea190f9bcA',
      exchanges: ['uniswap-v2', 'uniswap-v3'],
      source: source.uniswapSdkCore,
    },
  ],
  source: source.viemAndSushi,
});
