import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const arbitrum = defineDeployment({
  chainId: 42161,
  name: 'Arbitrum One',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
  baseTokens: [
    '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1', // WETH
    '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', // USDC
    '0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8', // USDC.e
    '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', // USDT0
    '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1', // DAI
    '0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f', // WBTC
  ],
  furtherTokens: [
    '0x17FC002b466eEc40DaE837Fc4bE5c67993ddBd6F', // FRAX
    '0xd4d42F0b6DEF4CE0383636770eF773390d85c61A', // SUSHI
  ],
  rpcUrls: ['https://arb1.arbitrum.io/rpc'],
  l1Fee: 'arbitrum',
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.uniswapV2,
      factory: '0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xc35DADB65012eC5796536bD9864eD8773aBc74C4',
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
      factory: '0x360E68faCcca8cA495c1B759Fd9EEe466db9FB32',
      source: source.uniswapSdkCore,
    },
    {
      // The init code is that of QuickSwap V3 to the byte: the hashes are equal.
      ...exchangeFamily.quickswapV3,
      name: 'zyberswap-v3',
      factory: '0x9C2ABD632771b433E5E7507BcaA41cA3b25D8544',
      poolDeployer: '0x24E85F5F94C6017d2d87b434394e87df4e4D56E3',
      source: source.algebraV1,
    },
    {
      ...exchangeFamily.camelotV3,
      factory: '0x1a3c9B1d2F0529D97f2afC5136Cc23e58f1FD35B',
      poolDeployer: '0x6Dd3FB9653B10e806650F107C3B5A0a6fF974F65',
      source: source.camelot,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
      exchanges: ['uniswap-v3'],
      source: source.uniswapSdkCore,
    },
    {
      kind: 'v2-router',
      address: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
      exchanges: ['uniswap-v2'],
      source: source.uniswapSdkCore,
    },
    {
      kind: 'v2-router',
      address: '0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
    {
      kind: 'swap-router-02',
      address: '0x32226588378236Fd0c7c4053999F88aC0e5cAc77',
      exchanges: ['pancakeswap-v2', 'pancakeswap-v3'],
      source: source.pancakeswapSmartRouter,
    },
  ],
  source: source.viemAndSushi,
});
