import type { Address } from 'viem';
import { type ConcentratedFee, concentratedFeeTiers } from '../known-exchanges.ts';
import type { ConcentratedPool, Position } from './add-concentrated-pool.ts';
import { type ConstantProductPool, sortTokens } from './add-constant-product-pool.ts';
import type { DevchainPool } from './devchain-pools.ts';

/** What planning has to know of a token. */
export type PricedToken = {
  readonly address: Address;
  readonly decimals: number;
  readonly dollars: bigint;
};

/** Widths, in ticks to each side of the price, and how much of the depth lies in them. */
type Layer = { readonly width: number; readonly percent: bigint };

// A tick is a basis point of price. As on mainnet, most lies near the price, thinning out to ten times
// and a tenth of it; between tokens of the same worth hardly anything lies a percent away.
const volatileLayers: readonly Layer[] = [
  { width: 120, percent: 25n },
  { width: 600, percent: 25n },
  { width: 3_000, percent: 25n },
  { width: 24_000, percent: 25n },
];
const stableLayers: readonly Layer[] = [
  { width: 2, percent: 40n },
  { width: 10, percent: 30n },
  { width: 100, percent: 30n },
];
const narrowLayers: readonly Layer[] = [{ width: 600, percent: 100n }];

/** The reserves of a V2 pool: its depth on both sides, at the tokens' worth and the pool's premium. */
export function planConstantProductPool(
  pool: DevchainPool,
  tokens: readonly [PricedToken, PricedToken],
): ConstantProductPool {
  return { tokens: [tokens[0].address, tokens[1].address], reserves: amountsOf(pool, tokens) };
}

/** The price and positions of a V3 pool of the same worth. Positions reach a third further up than down. */
export function planConcentratedPool(
  pool: DevchainPool & { readonly fee: ConcentratedFee },
  tokens: readonly [PricedToken, PricedToken],
): ConcentratedPool {
  const [token0, token1] = sortTokens(tokens[0].address, tokens[1].address);
  const amounts = amountsOf(pool, tokens);
  const [amount0, amount1] =
    token0 === tokens[0].address ? amounts : ([amounts[1], amounts[0]] as const);
  const sqrtPriceX96 = squareRoot((amount1 << 192n) / amount0);
  const center = 2 * (Math.log(Number(sqrtPriceX96) / 2 ** 96) / Math.log(1.0001));
  const spacing = tickSpacingOf(pool.fee);
  const onSpacing = (tick: number) => Math.round(tick / spacing) * spacing;
  const positions = layersOf(pool).map(
    ({ width, percent }): Position => ({
      tickLower: onSpacing(center - Math.max(width, spacing)),
      tickUpper: onSpacing(center + Math.max(width, spacing) * (4 / 3)),
      amount0: (amount0 * percent) / 100n,
      amount1: (amount1 * percent) / 100n,
    }),
  );
  return { token0, token1, fee: pool.fee, sqrtPriceX96, positions };
}

function amountsOf(
  { depth, premium }: DevchainPool,
  [first, second]: readonly [PricedToken, PricedToken],
): readonly [bigint, bigint] {
  const dollars = depth * 1_000n;
  const million = 1_000_000n;
  return [
    (dollars * 10n ** BigInt(first.decimals)) / first.dollars,
    (dollars * (million + premium) * 10n ** BigInt(second.decimals)) / (million * second.dollars),
  ];
}

function layersOf({ fee, isNarrow }: DevchainPool): readonly Layer[] {
  if (isNarrow) return narrowLayers;
  return fee === 100 ? stableLayers : volatileLayers;
}

function tickSpacingOf(fee: ConcentratedFee): number {
  const tier = concentratedFeeTiers.find((candidate) => candidate.fee === fee);
  if (tier === undefined) throw new Error(`The fee ${fee} is none of concentratedFeeTiers.`);
  return tier.tickSpacing;
}

/** The integer square root, rounded down, by Newton's iteration from above. */
function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
