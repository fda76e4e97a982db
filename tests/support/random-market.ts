import type { Evm } from '../../src/devchain/evm/open-evm.ts';
import { concentratedFeeTiers, uniswapDeployment } from '../../src/devchain/known-exchanges.ts';
import {
  addConcentratedPool,
  type ConcentratedPool,
  type Position,
} from '../../src/devchain/pools/add-concentrated-pool.ts';
import {
  addConstantProductPool,
  sortTokens,
} from '../../src/devchain/pools/add-constant-product-pool.ts';
import { createToken, type TokenKind } from '../../src/devchain/tokens.ts';
import { type Address, parseAddress } from '../../src/swap/model.ts';
import { MAX_TICK } from '../../src/swap/pools/concentrated/ticks.ts';
import type { Dice } from './dice.ts';

/** A token of a random market, with the value of a whole token in its pools. */
export type MarketToken = {
  readonly address: Address;
  readonly decimals: number;
  readonly kind: TokenKind;
  readonly dollars: number;
  /** For the share of a vault, which cannot be minted: the token to deposit for it. */
  readonly asset?: Address;
};

export type RandomMarket = {
  /** Wrapped ether first, then the other tokens that routes may pass through. */
  readonly baseTokens: readonly MarketToken[];
  readonly tokens: readonly MarketToken[];
};

const wrappedEther: MarketToken = {
  address: parseAddress(uniswapDeployment.wrappedNative),
  decimals: 18,
  kind: 'ordinary',
  dollars: 3_000,
};

/**
 * Adds tokens of 6, 8 and 18 decimals, ordinary and odd, with pools of both kinds between them: some
 * deep, some nearly empty, at prices up to three percent apart, with positions that overlap, leave gaps
 * or lie beside the price. Token addresses derive from the name, so that many markets fit on one chain. With `dollars`
 * the first three tokens are worth the same.
 */
export async function addRandomMarket(
  evm: Evm,
  { name, dice, dollars }: { name: string; dice: Dice; dollars?: number },
): Promise<RandomMarket> {
  const addToken = async (index: number, kind: TokenKind): Promise<MarketToken> => {
    const symbol = `${name}-${index}`;
    const decimals = dice.pick([6, 8, 18]);
    const taxBps = Math.floor(dice.magnitude(1, 2_000));
    const { address } = await createToken(evm, { name: symbol, symbol, decimals, kind, taxBps });
    const worth = dice.magnitude(0.01, 1e5);
    return {
      address: parseAddress(address),
      decimals,
      kind,
      dollars: index < 4 ? (dollars ?? worth) : worth,
    };
  };
  const baseTokens = [
    wrappedEther,
    await addToken(1, 'ordinary'),
    await addToken(2, dice.pick(['ordinary', 'no-return'])),
    await addToken(3, dice.pick(['ordinary', 'bytes32-metadata'])),
  ];
  const others = [
    await addToken(4, 'ordinary'),
    await addToken(5, dice.pick(['no-return', 'bytes32-metadata'])),
    await addToken(6, 'taxed'),
  ];
  const tokens = [...baseTokens, ...others];
  for (const [index, one] of tokens.entries()) {
    for (const other of tokens.slice(index + 1)) await addPools(evm, { pair: [one, other], dice });
  }
  return { baseTokens, tokens };
}

export type Pair = readonly [MarketToken, MarketToken];

async function addPools(evm: Evm, { pair, dice }: { pair: Pair; dice: Dice }): Promise<void> {
  const [one, other] = pair;
  const isTaxed = one.kind === 'taxed' || other.kind === 'taxed';
  if (dice.fraction() < (isTaxed ? 0.6 : 0.35)) {
    const [amount, otherAmount] = amountsOf(pair, dice);
    await addConstantProductPool(evm, {
      tokens: [one.address, other.address],
      reserves: [amount, otherAmount],
    });
  }
  if (isTaxed) return;
  for (const tier of concentratedFeeTiers) {
    // With a tick spacing of 1, a swap that runs out of liquidity searches thousands of words: fewer such pools.
    const likelihood = tier.tickSpacing === 1 ? 0.1 : 0.2;
    if (dice.fraction() < likelihood) {
      await addConcentratedPool(evm, planRandomPool({ pair, tier, dice }));
    }
  }
}

/** `isAroundPrice` keeps only positions with the price well inside. Some kinds of pools can be given no others here. */
export function planRandomPool(options: {
  pair: Pair;
  tier: (typeof concentratedFeeTiers)[number];
  dice: Dice;
  isAroundPrice?: boolean;
}): ConcentratedPool {
  const { pair, tier, dice, isAroundPrice = false } = options;
  const [token0, token1] = sortTokens(pair[0].address, pair[1].address);
  const amounts = amountsOf(pair, dice);
  const [amount0, amount1] = token0 === pair[0].address ? amounts : [amounts[1], amounts[0]];
  const sqrtPrice = Math.sqrt(Number(amount1) / Number(amount0));
  const center = Math.round((2 * Math.log(sqrtPrice)) / Math.log(1.0001) / tier.tickSpacing);
  const onTick = (spacings: number) => (center + Math.round(spacings)) * tier.tickSpacing;
  const inside = ({ tickLower, tickUpper }: Position) =>
    -MAX_TICK < tickLower &&
    tickUpper < MAX_TICK &&
    (!isAroundPrice || (tickLower < onTick(0) && onTick(0) < tickUpper));
  const positions = Array.from({ length: dice.pick([1, 1, 2, 3, 5, 8]) }, (): Position => {
    const width = dice.magnitude(1, 40_000 / tier.tickSpacing);
    // Mostly around the price, sometimes wholly to one side of it.
    const shift = (dice.fraction() - 0.5) * width * dice.pick([1, 1, 1, 4]);
    return {
      tickLower: onTick(shift - width / 2) - tier.tickSpacing,
      tickUpper: onTick(shift + width / 2) + tier.tickSpacing,
      amount0: amount0 / 2n,
      amount1: amount1 / 2n,
    };
  }).filter(inside);
  const sqrtPriceX96 = BigInt(Math.floor(sqrtPrice * 2 ** 48)) << 48n;
  const { fee } = tier;
  return { token0, token1, fee, sqrtPriceX96, positions };
}

/** Amounts of both tokens for the same number of dollars, give or take the difference of prices. */
export function amountsOf([one, other]: Pair, dice: Dice): readonly [bigint, bigint] {
  const dollars = dice.magnitude(300, 1e7);
  const premium = 1 + (dice.fraction() - 0.5) * 0.06;
  return [unitsOf(one, dollars), unitsOf(other, dollars * premium)];
}

/** How many of a token's smallest units are worth so many dollars; at least one. */
export function unitsOf({ decimals, dollars: price }: MarketToken, dollars: number): bigint {
  const millionths = BigInt(Math.ceil((dollars / price) * 1e6));
  return millionths * 10n ** BigInt(decimals - 6);
}
