import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const blast = defineDeployment({
  chainId: 81457,
  name: 'Blast',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0x4300000000000000000000000000000000000004',
  baseTokens: [
    '0x4300000000000000000000000000000000000004', // WETH
    '0x4300000000000000000000000000000000000003', // USDB
  ],
  rpcUrls: ['https://rpc.blast.io'],
  l1Fee: 'op-stack',
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x792edAdE80af5fC680d96a2eD80A44247D2Cf6Fd',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.uniswapV2,
      factory: '0x5C346464d33F90bABaf70dB6388507CC889C1070',
      source: source.uniswapSdkCore,
    },
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0x42Fa929fc636e657AC568C0b5Cf38E203b67aC2b',
      initCodeHash: '0x0871b2842bc5ad89183710ec5587b7e7e285f1212e8960a4941335bab95cf6af',
      source: source.sushi,
    },
    {
      ...exchangeFamily.uniswapV4,
      factory: '0x1631559198A9e474033433b2958daBC135ab6446',
      source: source.uniswapSdkCore,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x549FEB8c9bd4c12Ad2AB27022dA12492aC452B66',
      exchanges: ['uniswap-v3'],
      source: source.uniswapSdkCore,
    },
    {
      kind: 'v2-router',
      address: '0xBB66Eb1c5e875933D44DAe661dbD80e5D9B03035',
      exchanges: ['uniswap-v2'],
      source: source.uniswapSdkCore,
    },
    {
      kind: 'v2-router',
      address: '0x54CF3d259a06601b5bC45F61A16443ed5404DD64',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
