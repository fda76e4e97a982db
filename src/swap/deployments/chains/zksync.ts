import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const zksync = defineDeployment({
  chainId: 324,
  name: 'ZKsync Era',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91',
  baseTokens: [
    '0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91', // WETH
    '0x3355df6D4c9C3035724Fd0e3914dE96A5a83aaf4', // USDC.e
    '0x493257fD37EDB34451f62EDf8D2a0C418852bA4C', // USDT
    '0xBBeB516fb02a01611cBBE0453Fe3c580D7281011', // WBTC
  ],
  rpcUrls: ['https://mainnet.era.zksync.io'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x8FdA5a7a8dCA67BBcDd10F02Fa0649A937215422',
      initCodeHash: '0x010013f177ea1fcbc4520f9a3ca7cd2d1d77959e05aa66484027cb38e712aeed',
      create2: 'zksync',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.pancakeswapV2,
      factory: '0xd03D8D566183F0086d8D09A84E1e30b58Dd5619d',
      initCodeHash: '0x0100045707a42494392b3558029b9869f865ff9df8f375dc1bf20b0555093f43',
      create2: 'zksync',
      source: source.sushiPancakeswapV2,
    },
    {
      ...exchangeFamily.pancakeswapV3,
      factory: '0x1BB72E0CbbEA93c08f535fc7856E0338D7F7a8aB',
      poolDeployer: '0x7f71382044A6a62595D5D357fE75CA8199123aD6',
      initCodeHash: '0x01001487a7c45b21c52a0bc0558bf48d897d14792f1d0cc82733c8271d069178',
      create2: 'zksync',
      source: source.pancakeswapV3Sdk,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x99c56385daBCE3E81d8499d0b8d0257aBC07E8A3',
      exchanges: ['uniswap-v3'],
      source: source.uniswapSdkCore,
    },
    {
      kind: 'swap-router-02',
      address: '0xf8b59f3c3Ab33200ec80a8A58b2aA5F5D2a8944C',
      exchanges: ['pancakeswap-v2', 'pancakeswap-v3'],
      source: source.pancakeswapSmartRouter,
    },
  ],
  source: source.viemAndSushi,
});
