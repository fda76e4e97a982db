import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const filecoin = defineDeployment({
  chainId: 314,
  name: 'Filecoin Mainnet',
  nativeCurrency: { name: 'filecoin', symbol: 'FIL', decimals: 18 },
  wrappedNative: '0x60E1773636CF5E4A227d9AC24F20fEca034ee25A',
  baseTokens: [
    '0x60E1773636CF5E4A227d9AC24F20fEca034ee25A', // WFIL
    '0xEB466342C4d449BC9f53A865D5Cb90586f405215', // axlUSDC
  ],
  rpcUrls: ['https://api.node.glif.io/rpc/v1'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0xB4C47eD546Fc31E26470a186eC2C5F19eF09BA41',
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
      address: '0xcAb04058e60020d65D18D4B3DFF2cA1445D7099f',
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
