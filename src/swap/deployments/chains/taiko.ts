import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const taiko = defineDeployment({
  chainId: 167_000,
  name: 'Taiko Mainnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0xA51894664A773981C6C112C43ce576f315d5b1B6',
  baseTokens: [
    '0xA51894664A773981C6C112C43ce576f315d5b1B6', // WETH
    '0x07d83526730c7438048D55A4fc0b850e2aaB6f0b', // USDC
    '0x2DEF195713CF4a606B49D07E520e22C17899a736', // USDT
    '0xc4C410459fbaF8f7F86b6cEE52b4fA1282FF9704', // WBTC
  ],
  rpcUrls: ['https://rpc.mainnet.taiko.xyz'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x75FC67473A91335B5b8F8821277262a13B38c9b3',
      source: source.okuChains,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0xdD489C75be1039ec7d843A6aC2Fd658350B067Cf',
      exchanges: ['uniswap-v3'],
      source: source.okuSdks,
    },
  ],
  source: source.viemAndSushi,
});
