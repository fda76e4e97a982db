/** The smallest integer that is at least the quotient. Both must be positive; zero over any is zero. */
export function divideRoundingUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
