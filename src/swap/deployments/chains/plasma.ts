import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const plasma = defineDeployment({
  chainId: 9745,
  name: 'Plasma',
  nativeCurrency: { name: 'Plasma', symbol: 'XPL', decimals: 18 },
  wrappedNative: '0x6100E367285b01F48D07953803A2d8dCA5D19873',
  baseTokens: [
    '0x6100E367285b01F48D07953803A2d8dCA5D19873', // WXPL
    '0x9895D81bB462A195b4922ED7De0e3ACD007c32CB', // WETH
    '0xB8CE59FC3717ada4C02eaDF9682A9e934F625ebb', // USDT0
    '0x5d3a1Ff2b6BAb83b63cd9AD0787074081a52ef34', // USDe
  ],
  rpcUrls: ['https://rpc.plasma.to'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0xcb2436774C3e191c85056d248EF4260ce5f27A9D',
      source: source.okuChains,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x807F4E281B7A3B324825C64ca53c69F0b418dE40',
      exchanges: ['uniswap-v3'],
      source: source.okuChains,
    },
  ],
  source: source.viemAndSushi,
});
