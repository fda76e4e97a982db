import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const polygonZkevm = defineDeployment({
  chainId: 1101,
  name: 'Polygon zkEVM',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0x4F9A0e7FD2Bf6067db6994CF12E4495Df938E6e9',
  baseTokens: [
    '0x4F9A0e7FD2Bf6067db6994CF12E4495Df938E6e9', // WETH
    '0xA8CE8aee21bC2A48a5EF670afCc9274C7bbbC035', // USDC.e
    '0x37eAA0eF3549a5Bb7D431be78a3D99BD360d19e5', // USDC
    '0x1E4a5963aBFD975d8c9021ce480b42188849D41d', // USDT
    '0xEA034fb02eB1808C2cc3adbC15f447B93CbE08e1', // WBTC
  ],
  rpcUrls: ['https://zkevm-rpc.com'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0xff83c3c800Fec21de45C5Ec30B69ddd5Ee60DFC2',
      source: source.okuChains,
    },
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xB45e53277a7e0F1D35f2a77160e91e25507f1763',
      source: source.sushi,
    },
    {
      ...exchangeFamily.quickswapV3,
      factory: '0x4B9f4d2435Ef65559567e5DbFC1BbB37abC43B57',
      poolDeployer: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
      source: source.algebraV1,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x0E0434DDf5273F71250A99c6fbcABfeCA301DE5F',
      exchanges: ['uniswap-v3'],
      source: source.okuSdkCore,
    },
    {
      kind: 'v2-router',
      address: '0x9B3336186a38E1b6c21955d112dbb0343Ee061eE',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
