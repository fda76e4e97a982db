import { cloneCodeHash } from '../../pools/create2-address.ts';
import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const base = defineDeployment({
  chainId: 8453,
  name: 'Base',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0x4200000000000000000000000000000000000006',
  baseTokens: [
    '0x4200000000000000000000000000000000000006', // WETH
    '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', // USDC
    '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA', // USDbC
    '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', // USDT
    '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb', // DAI
  ],
  rpcUrls: ['https://mainnet.base.org'],
  l1Fee: 'op-stack',
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x33128a8fC17869897dcE68Ed026d694621f6FDfD',
      // Uniswap's governance has added three tiers here: @uniswap/v3-sdk 3.31.5, constants.js.
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 200, tickSpacing: 4 },
        { fee: 300, tickSpacing: 6 },
        { fee: 400, tickSpacing: 8 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10_000, tickSpacing: 200 },
      ],
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.uniswapV2,
      factory: '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0x71524B4f93c58fcbF659783284E38825f0622859',
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
      factory: '0x498581fF718922c3f8e6A244956aF099B2652b2b',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.velodromeV2,
      name: 'aerodrome',
      factory: '0x420DD381b31aEf6683db6B902084cB0FFECe40Da',
      initCodeHash: cloneCodeHash('0xA4e46b4f701c62e14DF11B48dCe76A7d793CD6d7'),
      source: source.aerodrome,
    },
    {
      ...exchangeFamily.slipstream,
      name: 'aerodrome-slipstream',
      factory: '0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A',
      initCodeHash: cloneCodeHash('0xeC8E5342B19977B4eF8892e02D8DAEcfa1315831'),
      source: source.aerodromeSlipstream,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x2626664c2603336E57B271c5C0b26F421741e481',
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
      address: '0x6BDED42c6DA8FBf0d2bA55B2fa120C5e0c8D7891',
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
