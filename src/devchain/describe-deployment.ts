import type { BuiltPool } from './build-devchain.ts';
import type { Token } from './create-token.ts';
import {
  concentratedFeeTiers,
  poolInitCodeHash,
  uniswapDeployment as uniswap,
} from './uniswap-deployment.ts';

export type DevchainDeployment = ReturnType<typeof describeDeployment>;

/** What stands on the development chain, as plain data that the composition translates for a domain. */
export function describeDeployment(built: {
  chainId: number;
  tokens: readonly Token[];
  baseTokens: readonly Token['address'][];
  pools: readonly BuiltPool[];
}) {
  return {
    ...built,
    name: 'Tradewind development chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    wrappedNative: uniswap.wrappedNative,
    multicall3: uniswap.multicall3,
    exchanges: [
      {
        name: 'uniswap-v2',
        kind: 'constant-product',
        factory: uniswap.constantProductFactory,
        initCodeHash: poolInitCodeHash.constantProduct,
        feeNumerator: 997,
        feeDenominator: 1000,
      },
      {
        name: 'uniswap-v3',
        kind: 'concentrated',
        factory: uniswap.concentratedFactory,
        initCodeHash: poolInitCodeHash.concentrated,
        feeTiers: concentratedFeeTiers,
      },
    ],
    routers: [
      {
        kind: 'swap-router-02',
        address: uniswap.swapRouter02,
        exchanges: ['uniswap-v2', 'uniswap-v3'],
      },
      { kind: 'v2-router', address: uniswap.constantProductRouter, exchanges: ['uniswap-v2'] },
    ],
    quoterV2: uniswap.quoterV2,
    tickLens: uniswap.tickLens,
  } as const;
}
