import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const hemi = defineDeployment({
  chainId: 43111,
  name: 'Hemi',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0x4200000000000000000000000000000000000006',
  baseTokens: [
    '0x4200000000000000000000000000000000000006', // WETH
    '0xad11a8BEb98bbf61dbb1aa0F6d6F2ECD87b35afA', // USDC
    '0xbB0D083fb1be0A9f6157ec484b6C79E0A4e31C2e', // USDT
    '0x03C7054BCB39f7b2e5B2c7AcB37583e32D70Cfa3', // WBTC
  ],
  rpcUrls: ['https://rpc.hemi.network/rpc'],
  l1Fee: 'op-stack',
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x346239972d1fa486FC4a521031BC81bFB7D6e8a4',
      source: source.okuChains,
    },
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0x9B3336186a38E1b6c21955d112dbb0343Ee061eE',
      source: source.sushi,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x864DDc9B50B9A0dF676d826c9B9EDe9F8913a160',
      exchanges: ['uniswap-v3'],
      source: source.okuChains,
    },
    {
      kind: 'v2-router',
      address: '0x46B3fDF7b5CDe91Ac049936bF0bDb12c5d22202e',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
