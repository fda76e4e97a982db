import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const polygon = defineDeployment({
  chainId: 137,
  name: 'Polygon',
  nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
  wrappedNative: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
  baseTokens: [
    '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270', // WPOL
    '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619', // WETH
    '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', // USDC
    '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174', // USDC.e
    '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', // USDT
    '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063', // DAI
    '0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6', // WBTC
  ],
  furtherTokens: [
    '0xD6DF932A45C0f255f85145f286eA0b292B21C90B', // AAVE
    '0x53E0bca35eC356BD5ddDFebbD1Fc0fD03FaBad39', // LINK
    '0x0b3F868E0BE5597D5DB7fEB59E1CADBb0fdDa50a', // SUSHI
    '0x831753DD7087CaC61aB5644b308642cc1c33Dc13', // QUICK
    '0x45c32fA6DF82ead1e2EF74d17b76547EDdFaFF89', // FRAX
  ],
  rpcUrls: ['https://polygon.drpc.org'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.uniswapV2,
      factory: '0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xc35DADB65012eC5796536bD9864eD8773aBc74C4',
      source: source.sushi,
    },
    {
      ...exchangeFamily.uniswapV2,
      name: 'quickswap-v2',
      factory: '0x5757371414417b8C6CAad45bAeF941aBc7d3Ab32',
      source: source.quickswapSdk,
    },
    {
      ...exchangeFamily.uniswapV4,
      factory: '0x67366782805870060151383F4BbFF9daB53e5cD6',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.quickswapV3,
      factory: '0x411b0fAcC3489691f28ad58c47006AF5E3Ab3A28',
      poolDeployer: '0x2D98E2FA9da15aa6dC9581AB097Ced7af697CB92',
      source: source.quickswapInterface,
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
      address: '0xedf6066a2b290C185783862C7F4776A2C8077AD1',
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
      kind: 'v2-router',
      address: '0xa5E0829CaCEd8fFDD4De3c43696c57F7D7A678ff',
      exchanges: ['quickswap-v2'],
      source: source.apeswapSdk,
    },
  ],
  source: source.viemAndSushi,
});
