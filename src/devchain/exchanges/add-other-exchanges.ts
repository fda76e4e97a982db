import type { Address } from 'viem';
import type { Evm } from '../evm/open-evm.ts';
import { addSolidlyPools, type Solidly } from '../pools/add-solidly-pools.ts';
import { addStableSwapPool } from '../pools/add-stable-swap-pool.ts';
import { addVault } from '../pools/add-vault.ts';
import { type PricedToken, planConcentratedPool } from '../pools/plan-pool.ts';
import type { Token } from '../tokens/create-token.ts';
import type { DevchainSymbol } from '../tokens/devchain-tokens.ts';
import { type Algebra, addAlgebraPool, deployAlgebra } from './deploy-algebra.ts';

/** The exchanges of the chain beside Uniswap and PancakeSwap. */
export type OtherExchanges = {
  readonly algebra: Algebra;
  readonly solidly: Solidly;
  readonly stableSwap: { readonly address: Address; readonly coins: readonly Token[] };
  readonly vault: { readonly token: Token; readonly asset: Address };
};

/** The address of Savings Dai on mainnet. */
const vaultAddress: Address = '0x83F20F44975D03b1b09e64809B757c47f942BEeA';

/** Adds Algebra, Solidly, Curve and a vault, each with pools between tokens that Uniswap has too. */
export async function addOtherExchanges(
  evm: Evm,
  tokens: ReadonlyMap<DevchainSymbol, Token & PricedToken>,
): Promise<OtherExchanges> {
  const token = (symbol: DevchainSymbol) => {
    const found = tokens.get(symbol);
    if (found === undefined) throw new Error(`The token ${symbol} does not exist.`);
    return found;
  };
  const [weth, usdc, usdt, dai] = [token('WETH'), token('USDC'), token('USDT'), token('DAI')];

  const algebra = await deployAlgebra(evm);
  for (const pool of [
    { tokens: ['WETH', 'USDC'], depth: 3_000n, premium: -120n },
    { tokens: ['WETH', 'USDT'], depth: 1_500n, premium: 170n },
  ] as const) {
    const pair = [token(pool.tokens[0]), token(pool.tokens[1])] as const;
    // Ticks of Algebra lie as far apart as those of this fee.
    await addAlgebraPool(evm, algebra, planConcentratedPool({ ...pool, fee: 3000 }, pair));
  }

  const million = 10n ** 6n;
  const solidly = await addSolidlyPools(evm, [
    {
      tokens: [weth.address, usdc.address],
      reserves: [500n * 10n ** 18n, 1_500_150n * million],
      isStable: false,
    },
    {
      tokens: [usdc.address, dai.address],
      reserves: [2n * million * million, 2n * million * 10n ** 18n],
      isStable: true,
    },
    {
      tokens: [usdc.address, usdt.address],
      reserves: [million * million, 1_010_000n * million],
      isStable: true,
    },
  ]);

  const coins = [dai, usdc, usdt] as const;
  const stableSwap = await addStableSwapPool(evm, { coins, amount: 3n * million });
  const vault = await addVault(evm, {
    address: vaultAddress,
    name: 'Savings Dai',
    symbol: 'sDAI',
    decimals: 18,
    asset: dai,
    deposit: 100_000n,
  });
  return {
    algebra,
    solidly,
    stableSwap: {
      address: stableSwap,
      coins: coins.map(({ address, name, symbol, decimals }) => ({
        address,
        name,
        symbol,
        decimals,
      })),
    },
    vault: { token: vault, asset: dai.address },
  };
}
