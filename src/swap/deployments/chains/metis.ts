import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const metis = defineDeployment({
  chainId: 1088,
  name: 'Metis',
  nativeCurrency: { name: 'Metis', symbol: 'METIS', decimals: 18 },
  wrappedNative: '0x75cb093E4D61d2A2e65D8e0BBb01DE8d89b53481',
  baseTokens: [
    '0x75cb093E4D61d2A2e65D8e0BBb01DE8d89b53481', // WMETIS
    '0x420000000000000000000000000000000000000A', // WETH
    '0xEA32A96608495e54156Ae48931A7c20f0dcc1a21', // USDC
    '0xbB06DCA3AE6887fAbF931640f67cab3e3a16F4dC', // USDT
    '0xa5B55ab1dAF0F8e1EFc0eB1931a957fd89B918f4', // WBTC
  ],
  rpcUrls: [
    'https://metis.rpc.hypersync.xyz',
    'https://metis-pokt.nodies.app',
    'https://metis-andromeda.rpc.thirdweb.com',
    'https://metis-andromeda.gateway.tenderly.co',
    'https://metis.api.onfinality.io/public',
    'https://metis-mainnet.public.blastapi.io',
  ],
  exchanges: [
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0x580ED43F3BBa06555785C81c2957efCCa71f7483',
      source: source.sushi,
    },
  ],
  routers: [
    {
      kind: 'v2-router',
      address: '0xbF3B71decBCEFABB3210B9D8f18eC22e0556f5F0',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
