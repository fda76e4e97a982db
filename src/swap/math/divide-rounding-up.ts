/** The smallest integer that is at least the quotient of a non-negative and a positive number. */
export function divideRoundingUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
