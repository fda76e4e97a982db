import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const katana = defineDeployment({
  chainId: 747_474,
  name: 'Katana',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0xEE7D8BCFb72bC1880D0Cf19822eB0A2e6577aB62',
  baseTokens: [
    '0xEE7D8BCFb72bC1880D0Cf19822eB0A2e6577aB62', // WETH
    '0x203A662b0BD271A6ed5a60EdFbd04bFce608FD36', // USDC
    '0x2DCa96907fde857dd3D816880A0df407eeB2D2F2', // USDT
    '0x00000000eFE302BEAA2b3e6e1b18d08D69a9012a', // AUSD
    '0x0913DA6Da4b42f538B445599b46Bb4622342Cf52', // WBTC
    '0xB0F70C0bD6FD87dbEb7C10dC692a2a6106817072', // BTC.b
  ],
  rpcUrls: ['https://rpc.katana.network'],
  l1Fee: 'op-stack',
  exchanges: [
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0x72D111b4d6f31B38919ae39779f570b747d6Acd9',
      source: source.sushi,
    },
  ],
  routers: [
    {
      kind: 'v2-router',
      address: '0x69cC349932ae18ED406eeB917d79b9b3033fB68E',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
