import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const linea = defineDeployment({
  chainId: 59144,
  name: 'Linea Mainnet',
  nativeCurrency: { name: 'Linea Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f',
  baseTokens: [
    '0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f', // WETH
    '0x176211869cA2b568f2A7D4EE941E073a821EE1ff', // USDC
    '0xA219439258ca9da29E9Cc4cE5596924745e12B93', // USDT
    '0x5C7e299CF531eb66f2A1dF637d37AbB78e6200C7', // DAI
    '0x3aAB2285ddcDdaD8edf438C1bAB47e1a9D05a9b4', // WBTC
  ],
  rpcUrls: ['https://rpc.linea.build'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x31FAfd4889FA1269F7a13A66eE0fB458f27D72A9',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.uniswapV2,
      factory: '0x114A43DF6C5f54EBB8A9d70Cd1951D3dD68004c7',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xFbc12984689e5f15626Bad03Ad60160Fe98B303C',
      source: source.sushi,
    },
    {
      ...exchangeFamily.pancakeswapV2,
      factory: '0x02a84c1b3BBD7401a5f7fa98a384EBC70bB5749E',
      source: source.sushiPancakeswapV2,
    },
    {
      ...exchangeFamily.pancakeswapV3,
      factory: '0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865',
      poolDeployer: '0x41ff9AA7e16B8B1a8a8dc4f0eFacd93D02d071c9',
      source: source.pancakeswapV3Sdk,
    },
    {
      ...exchangeFamily.uniswapV4,
      factory: '0x248083Fb965359d82b06C1F5322480Dcfc1AD857',
      source: source.uniswapSdkCore,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a',
      exchanges: ['uniswap-v3'],
      source: source.uniswapSdkCore,
    },
    {
      kind: 'v2-router',
      address: '0x8702463e73f74d0b6765aBceb314Ef07aCb92650',
      exchanges: ['uniswap-v2'],
      source: source.uniswapSdkCore,
    },
    {
      kind: 'v2-router',
      address: '0x2ABf469074dc0b54d793850807E6eb5Faf2625b1',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
    {
      kind: 'swap-router-02',
      address: '0x678Aa4bF4E210cf2166753e054d5b7c31cc7fa86',
      exchanges: ['pancakeswap-v2', 'pancakeswap-v3'],
      source: source.pancakeswapSmartRouter,
    },
  ],
  source: source.viemAndSushi,
});
