/**
 * The square root of the price at a tick in Q64.96, rounded up: `TickMath.getSqrtRatioAtTick`.
 * Does not check that the tick lies between `MIN_TICK` and `MAX_TICK`.
 *
 * The contract multiplies one factor for each bit that is set, lowest bit first, and cuts the
 * product after each. The order is kept because the cuts depend on it; only the product over the
 * low bits, which comes first, is looked up.
 */
export function sqrtRatioAtTick(tick: number): bigint {
  const place = tick & placeMask;
  if (knownTicks[place] === tick) return knownRatios[place] as bigint;
  const ratio = findRatio(tick);
  knownTicks[place] = tick;
  knownRatios[place] = ratio;
  return ratio;
}

/** The last answers, one per place: searches ask for the same few ticks over and over [Q31]. */
const placeMask = (1 << 12) - 1;
const knownTicks = new Int32Array(placeMask + 1).fill(-(2 ** 31));
const knownRatios: bigint[] = new Array(placeMask + 1).fill(0n);

function findRatio(tick: number): bigint {
  const distance = Math.abs(tick);
  // The tables hold every value of the low bits, and every bit above them that a tick can have.
  let ratio = lowBitProducts[distance & lowBitMask] as bigint;
  let factor = 0;
  for (let bits = distance >> lowBits; bits !== 0; bits >>= 1) {
    if (bits & 1) ratio = (ratio * (highBitFactors[factor] as bigint)) >> 128n;
    factor++;
  }
  if (tick > 0) ratio = maxUint256 / ratio;
  return (ratio + 0xffff_ffffn) >> 32n;
}

const maxUint256 = (1n << 256n) - 1n;
const lowBits = 10;
const lowBitMask = (1 << lowBits) - 1;

/** 1.0001^(−2^i / 2) in Q0.128 for bit i, as written in `TickMath`. */
const bitFactors: readonly bigint[] = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
];
const highBitFactors = bitFactors.slice(lowBits);
const lowBitProducts = [1n << 128n];
for (const factor of bitFactors.slice(0, lowBits)) {
  lowBitProducts.push(...lowBitProducts.map((product) => (product * factor) >> 128n));
}

/**
 * The greatest tick whose `sqrtRatioAtTick` is at most the given ratio: `TickMath.getTickAtSqrtRatio`.
 * Does not check that the ratio lies between `MIN_SQRT_RATIO` and `MAX_SQRT_RATIO`.
 *
 * A float64 logarithm places the ratio to within 10⁻⁹ of a tick, and rounding in `sqrtRatioAtTick`
 * moves a tick by at most 5·10⁻⁶ (at the lowest price, where one unit is 2⁻³² of the ratio). Only
 * a ratio that lies nearer to a tick than `doubt` needs the exact comparison.
 */
export function tickAtSqrtRatio(sqrtRatioX96: bigint): number {
  const position = Math.log(Number(sqrtRatioX96) / 2 ** 96) / logOfSqrtRatioPerTick;
  const nearest = Math.round(position);
  if (Math.abs(position - nearest) > doubt) return Math.floor(position);
  return sqrtRatioAtTick(nearest) <= sqrtRatioX96 ? nearest : nearest - 1;
}

const logOfSqrtRatioPerTick = Math.log1p(0.0001) / 2;
const doubt = 1e-4;

/** The ticks a concentrated pool knows, `TickMath.MIN_TICK` and `MAX_TICK`: prices of 2⁻¹²⁸ to 2¹²⁸. */
export const MIN_TICK = -887_272;
export const MAX_TICK = 887_272;

/** The square roots of the prices at the outermost ticks, in Q64.96, as `TickMath` rounds them. */
export const MIN_SQRT_RATIO = 4295128739n;
export const MAX_SQRT_RATIO = 1461446703485210103287273052203988822378723970342n;
