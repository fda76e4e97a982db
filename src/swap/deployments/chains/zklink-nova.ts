import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const zkLinkNova = defineDeployment({
  chainId: 810180,
  name: 'zkLink Nova',
  nativeCurrency: { name: 'ETH', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0x8280a4e7D5B3B658ec4580d3Bc30f5e50454F169',
  baseTokens: [
    '0x8280a4e7D5B3B658ec4580d3Bc30f5e50454F169', // WETH
    '0x1a1A3b2ff016332e866787B311fcB63928464509', // USDC
    '0x2F8A25ac62179B31D62D7F80884AE57464699059', // USDT
    '0xDa4AaEd3A53962c83B35697Cd138cc6df43aF71f', // WBTC
    '0xF573fA04A73d5AC442F3DEa8741317fEaA3cDeab', // DAI
  ],
  rpcUrls: ['https://rpc.zklink.io'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x9BD6230EDb501e28442B9deE9e35d01eeb946249',
      initCodeHash: '0x010013f177ea1fcbc4520f9a3ca7cd2d1d77959e05aa66484027cb38e712aeed',
      create2: 'zksync',
      source: source.okuSdks,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x7e0a29b7b7E2f4176062b8EDf8BDa96dFB1B7c9e',
      exchanges: ['uniswap-v3'],
      source: source.okuSdks,
    },
  ],
  source: source.zkLinkNova,
});
