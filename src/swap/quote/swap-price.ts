/**
 * Whole units of the output for one whole unit of the input. A float is right here: the interface asks
 * for a number, and no amount is ever made from it.
 */
export function swapPrice(
  input: { readonly amount: bigint; readonly decimals: number },
  output: { readonly amount: bigint; readonly decimals: number },
): number {
  return ratio(output.amount, input.amount) * 10 ** (input.decimals - output.decimals);
}

/** The quotient of two amounts of any size as the nearest float, also where each alone would overflow. */
export function ratio(numerator: bigint, denominator: bigint): number {
  // 2^64 keeps more digits than a float holds.
  const scaled = (numerator << 64n) / denominator;
  return scaled > 1n << 53n ? Number(scaled) / 2 ** 64 : Number(numerator) / Number(denominator);
}
