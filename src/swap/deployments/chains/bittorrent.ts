import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const bittorrent = defineDeployment({
  chainId: 199,
  name: 'BitTorrent',
  nativeCurrency: { name: 'BitTorrent', symbol: 'BTT', decimals: 18 },
  wrappedNative: '0x23181F21DEa5936e24163FFABa4Ea3B316B57f3C',
  baseTokens: [
    '0x23181F21DEa5936e24163FFABa4Ea3B316B57f3C', // WBTT
    '0x1249C65AfB11D179FFB3CE7D4eEDd1D9b98AD006', // WETH
    '0xAE17940943BA9440540940DB0F1877f101D39e8b', // USDC
    '0xE887512ab8BC60BcC9224e1c3b5Be68E26048B8B', // USDT
  ],
  // A BTT is worth so little that gas costs hundreds of thousands of gwei.
  highestGasPrice: Number.MAX_SAFE_INTEGER,
  rpcUrls: ['https://rpc.bittorrentchain.io'],
  exchanges: [
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xB45e53277a7e0F1D35f2a77160e91e25507f1763',
      source: source.sushi,
    },
  ],
  routers: [
    {
      kind: 'v2-router',
      address: '0x9B3336186a38E1b6c21955d112dbb0343Ee061eE',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
