import { encodeFunctionData, keccak256, parseAbi, slice, stringToHex, zeroAddress } from 'viem';
import type { Evm } from '../../src/devchain/evm/open-evm.ts';
import { liquidityProvider, sendTransaction } from '../../src/devchain/evm/transactions.ts';
import {
  type Algebra,
  addAlgebraPool,
  deployAlgebra,
} from '../../src/devchain/exchanges/add-other-exchanges.ts';
import { deployMoreExchanges } from '../../src/devchain/exchanges/deploy-more-exchanges.ts';
import { concentratedFeeTiers, moreExchanges } from '../../src/devchain/known-exchanges.ts';
import {
  addSolidlyPools,
  addStableSwapPool,
  addVault,
  type SolidlyPair,
} from '../../src/devchain/pools/add-other-pools.ts';
import { addManagedPool, addPancakePool } from '../../src/devchain/pools/add-provided-pool.ts';
import { giveTokens } from '../../src/devchain/tokens.ts';
import { exchangeFamily } from '../../src/swap/deployments/define-deployment.ts';
import { type Address, parseAddress } from '../../src/swap/model.ts';
import type { Exchange } from '../../src/swap/pools/pool-kinds.ts';
import type { Dice } from './dice.ts';
import { amountsOf, type MarketToken, type Pair, planRandomPool } from './random-market.ts';

const source = 'src/devchain';

/** The exchanges besides Uniswap V2 and V3 on which a market gets pools. */
export type RandomExchanges = {
  readonly algebra: Algebra;
};

/** Deploys the contracts that all markets of a chain share. */
export async function deployRandomExchanges(evm: Evm): Promise<RandomExchanges> {
  await deployMoreExchanges(evm);
  return { algebra: await deployAlgebra(evm) };
}

/**
 * Adds pools of PancakeSwap V3, Uniswap V4, Algebra, Solidly and Curve between tokens of a market, and a vault. Returns the
 * exchanges as a registry would name them, and the vault's share as a further token. For Curve, the first three tokens after
 * wrapped ether must be worth the same. For the vault, the first of them must be an ordinary token.
 */
export async function addOtherKinds(
  evm: Evm,
  options: {
    readonly name: string;
    readonly dice: Dice;
    readonly exchanges: RandomExchanges;
    readonly tokens: readonly MarketToken[];
  },
): Promise<{ exchanges: Exchange[]; share: MarketToken }> {
  const { name, dice, exchanges, tokens } = options;
  const solidly: SolidlyPair[] = [];
  for (const [index, one] of tokens.entries()) {
    for (const other of tokens.slice(index + 1)) {
      const pair = [one, other] as const;
      await addTickPools(evm, { pair, dice, exchanges });
      solidly.push(...drawSolidly(pair, dice));
    }
  }
  const made = await addSolidlyPools(evm, solidly);
  const coins = tokens.slice(1, 4).map((token) => named(token, name)) as unknown as Coins;
  const amount = BigInt(Math.ceil(dice.magnitude(1_000, 1e7) / tokens[1]!.dollars));
  const stableSwap = await addStableSwapPool(evm, { coins, amount });
  const asset = tokens[1]!;
  const share = await addVault(evm, {
    ...named(asset, `${name}-share`),
    address: slice(keccak256(stringToHex(`${name}-share`)), 12),
    asset: named(asset, name),
    deposit: 10_000n,
  });
  return {
    exchanges: describeExchanges({
      exchanges,
      solidly: made,
      stableSwap,
      coins,
      share: share.address,
      asset,
    }),
    // The vault has earned a tenth.
    share: {
      ...asset,
      address: parseAddress(share.address),
      dollars: asset.dollars * 1.1,
      asset: asset.address,
    },
  };
}

/** Deposits enough to give a holder at least so many shares. Call it before a quote, since it changes the vault's rounding. */
export async function giveShares(
  evm: Evm,
  {
    vault,
    asset,
    holder,
    amount,
  }: Record<'vault' | 'asset' | 'holder', Address> & { amount: bigint },
): Promise<void> {
  const paid = amount * 2n;
  await giveTokens(evm, { token: asset, holders: [liquidityProvider], amount: paid });
  for (const [to, call] of [
    [asset, { abi: vaultAbi, functionName: 'approve', args: [vault, paid] }],
    [vault, { abi: vaultAbi, functionName: 'deposit', args: [paid, holder] }],
  ] as const) {
    await sendTransaction(evm, { from: liquidityProvider, to, data: encodeFunctionData(call) });
  }
}

const vaultAbi = parseAbi([
  'function approve(address spender, uint256 value)',
  'function deposit(uint256 assets, address receiver)',
]);

type Named = {
  readonly address: Address;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
};
type Coins = readonly [Named, Named, Named];

function named({ address, decimals }: MarketToken, name: string): Named {
  return { address, decimals, name, symbol: name };
}

async function addTickPools(
  evm: Evm,
  { pair, dice, exchanges }: { pair: Pair; dice: Dice; exchanges: RandomExchanges },
): Promise<void> {
  const likely = 0.15;
  for (const tier of concentratedFeeTiers) {
    // PancakeSwap has all fee tiers of Uniswap but this one.
    if (tier.fee !== 3000 && dice.fraction() < likely / 2) {
      await addPancakePool(evm, planRandomPool({ pair, tier, dice, isAroundPrice: true }));
    }
    if (dice.fraction() < likely / 2) {
      const [one, other] = pair;
      const native = { ...one, address: parseAddress(zeroAddress) };
      // Wrapped ether comes first in a market.
      const isNative = one.dollars === 3_000 && one.decimals === 18 && dice.fraction() < 0.5;
      const currencies = isNative ? ([native, other] as const) : pair;
      await addManagedPool(
        evm,
        planRandomPool({ pair: currencies, tier, dice, isAroundPrice: true }),
      );
    }
  }
  if (dice.fraction() < likely) {
    const tier = { fee: 3000, tickSpacing: 60 } as const;
    const plan = planRandomPool({ pair, tier, dice, isAroundPrice: true });
    await addAlgebraPool(evm, exchanges.algebra, plan);
  }
}

function drawSolidly(pair: Pair, dice: Dice): SolidlyPair[] {
  const draw = (isStable: boolean): SolidlyPair => ({
    tokens: [pair[0].address, pair[1].address],
    reserves: amountsOf(pair, dice),
    isStable,
  });
  const isSameWorth = pair[0].dollars === pair[1].dollars;
  return [
    ...(dice.fraction() < 0.2 ? [draw(false)] : []),
    ...(isSameWorth && dice.fraction() < 0.7 ? [draw(true)] : []),
  ];
}

function describeExchanges(made: {
  exchanges: RandomExchanges;
  solidly: { readonly factory: string; readonly initCodeHash: `0x${string}` };
  stableSwap: string;
  coins: Coins;
  share: string;
  asset: MarketToken;
}): Exchange[] {
  const { algebra } = made.exchanges;
  return [
    {
      ...exchangeFamily.pancakeswapV3,
      factory: parseAddress(moreExchanges.pancakeFactory),
      poolDeployer: parseAddress(moreExchanges.pancakePoolDeployer),
      source,
    },
    { ...exchangeFamily.uniswapV4, factory: parseAddress(moreExchanges.poolManager), source },
    describeAlgebra(algebra),
    {
      name: 'solidly',
      kind: 'solidly',
      generation: 'solidly',
      factory: parseAddress(made.solidly.factory),
      initCodeHash: made.solidly.initCodeHash,
      feeBps: 'factory',
      source,
    },
    {
      name: 'curve',
      kind: 'curve',
      factory: parseAddress(made.stableSwap),
      pools: [{ address: parseAddress(made.stableSwap), coins: made.coins }],
      source,
    },
    {
      name: 'erc4626',
      kind: 'erc4626',
      factory: parseAddress(made.share),
      vaults: [{ address: parseAddress(made.share), asset: made.asset.address }],
      source,
    },
  ];
}

/** Algebra of the first generation as a registry would name it. */
export function describeAlgebra({ factory, poolDeployer, initCodeHash }: Algebra): Exchange {
  return {
    name: 'algebra',
    kind: 'algebra',
    generation: 'v1',
    factory: parseAddress(factory),
    poolDeployer: parseAddress(poolDeployer),
    initCodeHash,
    source,
  };
}
