import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const ethereum = defineDeployment({
  chainId: 1,
  name: 'Ethereum',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  baseTokens: [
    '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', // WETH
    '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', // USDC
    '0xdAC17F958D2ee523a2206206994597C13D831ec7', // USDT
    '0x6B175474E89094C44Da98b954EedeAC495271d0F', // DAI
    '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', // WBTC
  ],
  furtherTokens: [
    '0x853d955aCEf822Db058eb8505911ED77F175b99e', // FRAX
    '0x514910771AF9Ca656af840dff83E8264EcF986CA', // LINK
    '0x6B3595068778DD592e39A122f4f5a5cF09C90fE2', // SUSHI
    '0x64aa3364F17a4D01c6f1751Fd97C2BD3D7e7f1D5', // OHM
  ],
  rpcUrls: ['https://ethereum.reth.rs/rpc'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.uniswapV2,
      factory: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xC0AEe478e3658e2610c5F7A4A2E1777cE9e4f2Ac',
      source: source.sushi,
    },
    {
      ...exchangeFamily.pancakeswapV2,
      factory: '0x1097053Fd2ea711dad45caCcc45EfF7548fCB362',
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
      factory: '0x000000000004444c5dc75cB358380D2e3dE08A90',
      source: source.uniswapSdkCore,
    },
    {
      name: 'curve',
      kind: 'curve',
      factory: '0xA5407eAE9Ba41422680e2e00537571bcC53efBfD',
      // Of its pools, only that of sUSD is of the kind that is proved.
      pools: [
        {
          address: '0xA5407eAE9Ba41422680e2e00537571bcC53efBfD',
          coins: [
            { address: '0x6B175474E89094C44Da98b954EedeAC495271d0F', decimals: 18 }, // DAI
            { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 }, // USDC
            { address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6 }, // USDT
            { address: '0x57Ab1ec28D129707052df4dF418D58a2D46d5f51', decimals: 18 }, // sUSD
          ],
        },
      ],
      source: source.curveContracts,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
      exchanges: ['uniswap-v2', 'uniswap-v3'],
      source: source.uniswapSdkCore,
    },
    {
      kind: 'v2-router',
      address: '0xd9e1cE17f2641f24aE83637ab66a2cca9C378B9F',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
    {
      kind: 'swap-router-02',
      address: '0x13f4EA83D0bd40E75C8222255bc855a974568Dd4',
      exchanges: ['pancakeswap-v2', 'pancakeswap-v3'],
      source: source.pancakeswapSmartRouter,
    },
  ],
  source: source.viemAndSushi,
});
