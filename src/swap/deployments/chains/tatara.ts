import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const tatara = defineDeployment({
  chainId: 129_399,
  name: 'Tatara',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  wrappedNative: '0x17B8Ee96E3bcB3b04b3e8334de4524520C51caB4',
  baseTokens: [
    '0x17B8Ee96E3bcB3b04b3e8334de4524520C51caB4', // WETH
    '0xa9012a055bd4e0eDfF8Ce09f960291C09D5322dC', // AUSD
  ],
  rpcUrls: ['https://rpc.tatara.katanarpc.com'],
  l1Fee: 'op-stack',
  exchanges: [
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0xB45e53277a7e0F1D35f2a77160e91e25507f1763',
      source: source.sushi,
    },
  ],
  routers: [
    {
      kind: 'v2-router',
      address: '0x57bfFa72db682f7eb6C132DAE03FF36bBEB0c459',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.sushiChain,
});
