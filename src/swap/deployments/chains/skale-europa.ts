import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const skaleEuropa = defineDeployment({
  chainId: 2_046_399_126,
  name: 'SKALE Europa Hub',
  nativeCurrency: { name: 'sFUEL', symbol: 'sFUEL', decimals: 18 },
  baseTokens: [
    '0xD2Aaa00700000000000000000000000000000000', // ETHC
    '0x5F795bb52dAC3085f578f4877D450e2929D2F13d', // USDC
    '0x1c0491E3396AD6a35f061c62387a95d7218FC515', // USDT
    '0xcb011E86DF014a46F4e3AC3F3cbB114A4EB80870', // WBTC
  ],
  rpcUrls: ['https://mainnet.skalenodes.com/v1/elated-tan-skat'],
  exchanges: [
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0x1aaF6eB4F85F8775400C1B10E6BbbD98b2FF8483',
      source: source.sushi,
    },
  ],
  routers: [
    {
      kind: 'v2-router',
      address: '0x4cddf8D1473df386b926ec14b23bfbD566CE827a',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
