import { cloneCodeHash } from '../../pools/create2-address.ts';
import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const optimism = defineDeployment({
  chainId: 10,
  name: 'OP Mainnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0x4200000000000000000000000000000000000006',
  baseTokens: [
    '0x4200000000000000000000000000000000000006', // WETH
    '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', // USDC
    '0x7F5c764cBc14f9669B88837ca1490cCa17c31607', // USDC.e
    '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58', // USDT
    '0x01bFF41798a0BcF287b996046Ca68b395DbC1071', // USDT0
    '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1', // DAI
    '0x68f180fcCe6836688e9084f035309E29Bf0A2095', // WBTC
  ],
  rpcUrls: ['https://mainnet.optimism.io'],
  l1Fee: 'op-stack',
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.uniswapV2,
      factory: '0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xFbc12984689e5f15626Bad03Ad60160Fe98B303C',
      source: source.sushi,
    },
    {
      ...exchangeFamily.uniswapV4,
      factory: '0x9a13F98Cb987694C9F086b1F5eB990EeA8264Ec3',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.velodromeV2,
      name: 'velodrome-v2',
      factory: '0xF1046053aa5682b4F9a81b5481394DA16BE5FF5a',
      initCodeHash: cloneCodeHash('0x95885Af5492195F0754bE71AD1545Fe81364E531'),
      source: source.velodrome,
    },
    {
      ...exchangeFamily.slipstream,
      name: 'velodrome-slipstream',
      factory: '0xCc0bDDB707055e04e497aB22a59c2aF4391cd12F',
      initCodeHash: cloneCodeHash('0xc28aD28853A547556780BEBF7847628501A3bCbb'),
      source: source.velodromeSlipstream,
    },
    {
      // Since gauges of the second version.
      ...exchangeFamily.slipstream,
      name: 'velodrome-slipstream-2',
      factory: '0xe13Dd1fbA721Aa81a1826D9523AC9BC7d260c879',
      initCodeHash: cloneCodeHash('0x11B234946F28A3905710922138C65FBbe7496b4C'),
      source: source.velodromeSlipstream,
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
      address: '0x4A7b5Da61326A6379179b40d00F57E5bbDC962c2',
      exchanges: ['uniswap-v2'],
      source: source.uniswapSdkCore,
    },
    {
      kind: 'v2-router',
      address: '0x2ABf469074dc0b54d793850807E6eb5Faf2625b1',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
