type SwapStep = {
  /** The price after the step: the target where the input reaches it. */
  readonly sqrtPriceX96: bigint;
  /** What the step takes of the remaining input, fee included. */
  readonly amountIn: bigint;
  readonly amountOut: bigint;
};

/**
 * One step of an exact-input swap through constant liquidity, towards a target price on the side the direction says:
 * `SwapMath.computeSwapStep` with the rounding of `SqrtPriceMath`. Does not check its inputs: the amount must be positive,
 * the fee at most one million. Uniswap V4 allows that fee, which takes everything and moves no price.
 *
 * The contract handles an input that is too small for the target, but whose price still lands on it. That cannot arise: the
 * needed input is rounded up, so one unit less leaves the price short by at least one.
 */
export function computeSwapStep(step: {
  readonly zeroForOne: boolean;
  readonly sqrtPriceX96: bigint;
  readonly targetX96: bigint;
  readonly liquidity: bigint;
  readonly amountRemaining: bigint;
  /** Hundredths of a basis point. */
  readonly fee: bigint;
}): SwapStep {
  const { zeroForOne, sqrtPriceX96, targetX96, liquidity, amountRemaining, fee } = step;
  const keptOfMillion = million - fee;
  const amountLessFee = (amountRemaining * keptOfMillion) / million;
  if (zeroForOne) {
    const needed = divideRoundingUp(
      (liquidity << 96n) * (sqrtPriceX96 - targetX96),
      sqrtPriceX96 * targetX96,
    );
    const reached = amountLessFee >= needed;
    const next = reached ? targetX96 : priceAfterAmount0(step, amountLessFee);
    return {
      sqrtPriceX96: next,
      amountIn: reached ? withFee(needed, fee) : amountRemaining,
      amountOut: (liquidity * (sqrtPriceX96 - next)) >> 96n,
    };
  }
  const needed = (liquidity * (targetX96 - sqrtPriceX96) + maxUint96) >> 96n;
  const reached = amountLessFee >= needed;
  const next = reached ? targetX96 : sqrtPriceX96 + (amountLessFee << 96n) / liquidity;
  return {
    sqrtPriceX96: next,
    amountIn: reached ? withFee(needed, fee) : amountRemaining,
    amountOut: ((liquidity << 96n) * (next - sqrtPriceX96)) / (next * sqrtPriceX96),
  };
}

/** The needed input, and the fee on top of it. If the fee takes everything, only a need of zero is ever reached. */
function withFee(needed: bigint, fee: bigint): bigint {
  return needed === 0n ? 0n : needed + divideRoundingUp(needed * fee, million - fee);
}

/**
 * `SqrtPriceMath.getNextSqrtPriceFromAmount0RoundingUp`. Where the product does not fit 256 bits
 * the contract takes a coarser formula, so this one does too.
 */
function priceAfterAmount0(
  { sqrtPriceX96, liquidity }: { readonly sqrtPriceX96: bigint; readonly liquidity: bigint },
  amount: bigint,
): bigint {
  const numerator = liquidity << 96n;
  const denominator = numerator + amount * sqrtPriceX96;
  return denominator < uint256Range
    ? divideRoundingUp(numerator * sqrtPriceX96, denominator)
    : divideRoundingUp(numerator, numerator / sqrtPriceX96 + amount);
}

const million = 1_000_000n;
const maxUint96 = (1n << 96n) - 1n;
const uint256Range = 1n << 256n;

/** The smallest integer that is at least the quotient of a non-negative and a positive number. */
function divideRoundingUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
