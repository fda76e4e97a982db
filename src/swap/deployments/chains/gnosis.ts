import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const gnosis = defineDeployment({
  chainId: 100,
  name: 'Gnosis',
  nativeCurrency: { name: 'xDAI', symbol: 'XDAI', decimals: 18 },
  wrappedNative: '0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d',
  baseTokens: [
    '0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d', // WXDAI
    '0x6A023CCd1ff6F2045C3309768eAd9E68F978f6e1', // WETH
    '0xDDAfbb505ad214D7b80b1f830fcCc89B60fb7A83', // USDC
    '0x2a22f9c3b484c3629090FeED35F17Ff8F88f76F0', // USDC.e
    '0x4ECaBa5870353805a9F068101A40E0f32ed605C6', // USDT
  ],
  rpcUrls: ['https://rpc.gnosischain.com'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0xe32F7dD7e3f098D518ff19A22d5f028e076489B1',
      source: source.okuChains,
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
      address: '0xc6D25285D5C5b62b7ca26D6092751A145D50e9Be',
      exchanges: ['uniswap-v3'],
      source: source.okuChains,
    },
    {
      kind: 'v2-router',
      address: '0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
