import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const avalanche = defineDeployment({
  chainId: 43114,
  name: 'Avalanche',
  nativeCurrency: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
  wrappedNative: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
  baseTokens: [
    '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7', // WAVAX
    '0x49D5c2BdFfac6CE2BFdB6640F4F80f226bc10bAB', // WETH
    '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', // USDC
    '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7', // USDT
    '0xd586E7F844cEa2F87f50152665BCbc2C279D8d70', // DAI
    '0x50b7545627a5162F82A992c33b87aDc75187B218', // WBTC
  ],
  rpcUrls: ['https://api.avax.network/ext/bc/C/rpc'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x740b1c1de25031C31FF4fC9A62f554A55cdC1baD',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.uniswapV2,
      factory: '0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xc35DADB65012eC5796536bD9864eD8773aBc74C4',
      source: source.sushi,
    },
    {
      name: 'trader-joe-v1',
      kind: 'constant-product',
      factory: '0x9Ad6C38BE94206cA50bb0d90783181662f0Cfa10',
      feeNumerator: 997,
      feeDenominator: 1000,
      initCodeHash: '0x0bbca9af0511ad1a1da383135cf3a8d2ac620e549ef9f6ae3a4c33c2fed0af91',
      source: source.traderJoeSdk,
    },
    {
      name: 'pangolin-v2',
      kind: 'constant-product',
      factory: '0xefa94DE7a4656D787667C749f7E1223D71E9FD88',
      feeNumerator: 997,
      feeDenominator: 1000,
      initCodeHash: '0x40231f6b438bce0797c9ada29b718a87ea0a5cea3fe9a771abdd76bd41a3e545',
      source: source.pangolinSdk,
    },
    {
      ...exchangeFamily.uniswapV4,
      factory: '0x06380C0e0912312B5150364B9DC4542BA0DbBc85',
      source: source.uniswapSdkCore,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE',
      exchanges: ['uniswap-v3'],
      source: source.uniswapSdkCore,
    },
    {
      kind: 'v2-router',
      address: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
      exchanges: ['uniswap-v2'],
      source: source.uniswapSdkCore,
    },
    {
      kind: 'v2-router',
      address: '0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
    {
      kind: 'v2-router',
      address: '0x60aE616a2155Ee3d9A68541Ba4544862310933d4',
      exchanges: ['trader-joe-v1'],
      source: source.traderJoeSdk,
    },
    {
      kind: 'v2-router',
      address: '0xE54Ca86531e17Ef3616d22Ca28b0D458b6C89106',
      exchanges: ['pangolin-v2'],
      source: source.pangolinSdk,
    },
  ],
  source: source.viemAndSushi,
});
