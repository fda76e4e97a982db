import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const berachain = defineDeployment({
  chainId: 80094,
  name: 'Berachain',
  nativeCurrency: { name: 'BERA Token', symbol: 'BERA', decimals: 18 },
  wrappedNative: '0x6969696969696969696969696969696969696969',
  baseTokens: [
    '0x6969696969696969696969696969696969696969', // WBERA
    '0x2F6F07CDcf3588944Bf4C42aC74ff24bF56e7590', // WETH
    '0x549943e04f40284185054145c6E4e9568C1D3241', // USDC
    '0x779Ded0c9e1022225f8E0630b35a9b54bE713736', // USDT0
    '0xFCBD14DC51f0A4d49d5E53C2E0950e0bC26d0Dce', // HONEY
  ],
  rpcUrls: ['https://rpc.berachain.com'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      name: 'kodiak-v3',
      factory: '0xD84CBf0B02636E7f53dB9E5e45A616E05d710990',
      initCodeHash: '0xd8e2091bc519b509176fc39aeb148cc8444418d3ce260820edc44e806c2c2339',
      source: source.symbiosisSdk,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0xe301E48F77963D3F7DbD2a4796962Bd7f3867Fb4',
      exchanges: ['kodiak-v3'],
      source: source.symbiosisSdk,
    },
  ],
  source: source.viemAndSushi,
});
