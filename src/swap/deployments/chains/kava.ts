import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const kava = defineDeployment({
  chainId: 2222,
  name: 'Kava EVM',
  nativeCurrency: { name: 'Kava', symbol: 'KAVA', decimals: 18 },
  wrappedNative: '0xc86c7C0eFbd6A49B35E8714C5f59D99De09A225b',
  baseTokens: [
    '0xc86c7C0eFbd6A49B35E8714C5f59D99De09A225b', // WKAVA
    '0x919C1c267BC06a7039e03fcc2eF738525769109c', // USDT
    '0xEB466342C4d449BC9f53A865D5Cb90586f405215', // axlUSDC
  ],
  rpcUrls: ['https://evm.kava.io'],
  exchanges: [
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xD408a20f1213286fB3158a2bfBf5bFfAca8bF269',
      source: source.sushi,
    },
  ],
  routers: [
    {
      kind: 'v2-router',
      address: '0x1719DEf1BF8422a777f2442bcE704AC4Fb20c7f0',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
