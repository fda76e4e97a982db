import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const mantle = defineDeployment({
  chainId: 5000,
  name: 'Mantle',
  nativeCurrency: { name: 'MNT', symbol: 'MNT', decimals: 18 },
  wrappedNative: '0x78c1b0C915c4FAA5FffA6CAbf0219DA63d7f4cb8',
  baseTokens: [
    '0x78c1b0C915c4FAA5FffA6CAbf0219DA63d7f4cb8', // WMNT
    '0xdEAddEaDdeadDEadDEADDEAddEADDEAddead1111', // WETH
    '0x09Bc4E0D864854c6aFB6eB9A9cdF58aC190D0dF9', // USDC
    '0x201EBa5CC46D216Ce6DC03F6a759e8E766e956aE', // USDT
    '0x5d3a1Ff2b6BAb83b63cd9AD0787074081a52ef34', // USDe
  ],
  rpcUrls: ['https://rpc.mantle.xyz'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0x0d922Fb1Bc191F64970ac40376643808b4B74Df9',
      source: source.okuChains,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x738fD6d10bCc05c230388B4027CAd37f82fe2AF2',
      exchanges: ['uniswap-v3'],
      source: source.okuChains,
    },
  ],
  source: source.viemAndSushi,
});
