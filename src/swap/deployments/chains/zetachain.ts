import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const zetachain = defineDeployment({
  chainId: 7000,
  name: 'ZetaChain',
  nativeCurrency: { name: 'Zeta', symbol: 'ZETA', decimals: 18 },
  wrappedNative: '0x5F0b1a82749cb4E2278EC87F8BF6B618dC71a8bf',
  baseTokens: [
    '0x5F0b1a82749cb4E2278EC87F8BF6B618dC71a8bf', // WZETA
    '0xd97B1de3619ed2c6BEb3860147E30cA8A7dC9891', // WETH
    '0x0cbe0dF132a6c6B4a2974Fa1b7Fb953CF0Cc798a', // USDC
    '0x7c8dDa80bbBE1254a7aACf3219EBe1481c6E01d7', // USDT
    '0x13A0c5930C028511Dc02665E7285134B6d11A5f4', // WBTC
  ],
  rpcUrls: ['https://zetachain-evm.blockpi.network/v1/rpc/public'],
  exchanges: [
    {
      ...exchangeFamily.sushiswapV2,
      factory: '0x33d91116e0370970444B0281AB117e161fEbFcdD',
      source: source.sushi,
    },
  ],
  routers: [
    {
      kind: 'v2-router',
      address: '0x1f2FCf1d036b375b384012e61D3AA33F8C256bbE',
      exchanges: ['sushiswap-v2'],
      source: source.sushi,
    },
  ],
  source: source.viemAndSushi,
});
