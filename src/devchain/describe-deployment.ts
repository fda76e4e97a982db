import type { BuiltPool } from './build-devchain.ts';
import type { OtherExchanges } from './exchanges/add-other-exchanges.ts';
import {
  concentratedFeeTiers,
  moreExchanges,
  pancakeFeeTiers,
  poolInitCodeHash,
  uniswapDeployment as uniswap,
} from './known-exchanges.ts';
import type { Token } from './tokens.ts';

export type DevchainDeployment = ReturnType<typeof describeDeployment>;

/** What the development chain has, as plain data that the composition translates for a domain. */
export function describeDeployment({
  others,
  ...built
}: {
  chainId: number;
  tokens: readonly Token[];
  baseTokens: readonly Token['address'][];
  pools: readonly BuiltPool[];
  others?: OtherExchanges;
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
      {
        name: 'pancakeswap-v3',
        kind: 'concentrated',
        callsFarm: true,
        factory: moreExchanges.pancakeFactory,
        poolDeployer: moreExchanges.pancakePoolDeployer,
        initCodeHash: moreExchanges.pancakeInitCodeHash,
        feeTiers: pancakeFeeTiers,
      },
      {
        name: 'uniswap-v4',
        kind: 'uniswap-v4',
        factory: moreExchanges.poolManager,
        feeTiers: concentratedFeeTiers,
      },
      ...(others === undefined ? [] : describeOthers(others)),
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

function describeOthers({ algebra, solidly, stableSwap, vault }: OtherExchanges) {
  const coins = stableSwap.coins.map(({ address, decimals }) => ({ address, decimals }));
  const { address } = vault.token;
  return [
    {
      name: 'algebra',
      kind: 'algebra',
      factory: algebra.factory,
      poolDeployer: algebra.poolDeployer,
      initCodeHash: algebra.initCodeHash,
      generation: 'v1',
    },
    {
      name: 'solidly',
      kind: 'solidly',
      generation: 'solidly',
      factory: solidly.factory,
      initCodeHash: solidly.initCodeHash,
      feeBps: 'factory',
    },
    {
      name: 'curve',
      kind: 'curve',
      factory: stableSwap.address,
      pools: [{ address: stableSwap.address, coins }],
    },
    {
      name: 'erc4626',
      kind: 'erc4626',
      factory: address,
      vaults: [{ address, asset: vault.asset }],
    },
  ] as const;
}
