import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const apeChain = defineDeployment({
  chainId: 33139,
  name: 'ApeChain',
  nativeCurrency: { name: 'ApeCoin', symbol: 'APE', decimals: 18 },
  wrappedNative: '0x48b62137EdfA95a428D35C09E44256a739F6B557',
  baseTokens: [
    '0x48b62137EdfA95a428D35C09E44256a739F6B557', // WAPE
    '0xA2235d059F80e176D931Ef76b6C51953Eb3fBEf4', // ApeUSD
    '0xF1815bd50389c46847f0Bda824eC8da914045D14', // USDC.e
    '0xf4D9235269a96aaDaFc9aDAe454a0618eBE37949', // WETH
    '0xcF800F4948D16F23333508191B1B1591daF70438', // ApeETH
  ],
  rpcUrls: ['https://rpc.apechain.com/http'],
  l1Fee: 'arbitrum',
  exchanges: [
    {
      ...exchangeFamily.camelotV3,
      factory: '0x10aA510d94E094Bd643677bd2964c3EE085Daffc',
      poolDeployer: '0x6a63830E24f9a2F9C295fB2150107D0390Ed1448',
      source: source.camelot,
    },
  ],
  routers: [],
  source: source.camelot,
});
