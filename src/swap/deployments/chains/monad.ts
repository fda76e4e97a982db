import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const monad = defineDeployment({
  chainId: 143,
  name: 'Monad',
  nativeCurrency: { name: 'Monad', symbol: 'MON', decimals: 18 },
  wrappedNative: '0x3bd359C1119dA7Da1D913D1C4D2B7c461115433A',
  baseTokens: [
    '0x3bd359C1119dA7Da1D913D1C4D2B7c461115433A', // WMON
    '0xEE8c0E9f1BFFb4Eb878d8f15f368A02a35481242', // WETH
    '0x754704Bc059F8C67012fEd69BC8A327a5aafb603', // USDC
    '0xe7cd86e13AC4309349F30B3435a9d337750fC82D', // USDT0
    '0x00000000eFE302BEAA2b3e6e1b18d08D69a9012a', // AUSD
  ],
  rpcUrls: ['https://rpc.monad.xyz', 'https://rpc1.monad.xyz'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x204FAca1764B154221e35c0d20aBb3c525710498',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.uniswapV2,
      factory: '0x182a927119D56008d921126764bF884221b10f59',
      source: source.uniswapSdkCore,
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
      factory: '0x188d586Ddcf52439676Ca21A244753fA19F9Ea8e',
      source: source.uniswapSdkCore,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0xfE31F71C1b106EAc32F1A19239c9a9A72ddfb900',
      exchanges: ['uniswap-v2', 'uniswap-v3'],
      source: source.uniswapSdkCore,
    },
    {
      kind: 'swap-router-02',
      address: '0x21114915Ac6d5A2e156931e20B20b038dEd0Be7C',
      exchanges: ['pancakeswap-v2', 'pancakeswap-v3'],
      source: source.pancakeswapSmartRouter,
    },
  ],
  source: source.viemAndSushi,
});
