import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const megaeth = defineDeployment({
  chainId: 4326,
  name: 'MegaETH',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0x4200000000000000000000000000000000000006',
  baseTokens: [
    '0x4200000000000000000000000000000000000006', // WETH
    '0xB8CE59FC3717ada4C02eaDF9682A9e934F625ebb', // USDT0
    '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7', // USDm
    '0xB0F70C0bD6FD87dbEb7C10dC692a2a6106817072', // BTC.b
  ],
  rpcUrls: ['https://mainnet.megaeth.com/rpc'],
  l1Fee: 'op-stack',
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x3a5F0CD7d62452b7f899B2A5758BFa57be0dE478',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.uniswapV2,
      factory: '0xbf56488c857A881ae7e3BED27Cf99c10A7Ab7e50',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.uniswapV4,
      factory: '0xaCB7e78fa05D562e0A5D3089ec896D57D057d38E',
      source: source.uniswapSdkCore,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x48020De9208baFC183F5CAd5118FFbe8f0F913F5',
      exchanges: ['uniswap-v2', 'uniswap-v3'],
      source: source.uniswapSdkCore,
    },
  ],
  source: source.viemAndSushi,
});
