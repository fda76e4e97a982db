/**
 * Whole units of the output for one whole unit of the input. A float is right here: the interface asks
 * for a number, and no amount is ever made from it.
 */
export function swapPrice(
  input: { readonly amount: bigint; readonly decimals: number },
  output: { readonly amount: bigint; readonly decimals: number },
): number {
  return ratio(
    output.amount * 10n ** BigInt(input.decimals),
    input.amount * 10n ** BigInt(output.decimals),
  );
}

/** The quotient of two amounts of any size as the nearest float, also where each alone would overflow. */
export function ratio(numerator: bigint, denominator: bigint): number {
  // The quotient gets 64 bits or more, which is more than a float holds.
  const missing = denominator.toString(16).length - numerator.toString(16).length + 1;
  const shift = Math.max(0, 64 + 4 * missing);
  return Number((numerator << BigInt(shift)) / denominator) * 2 ** -shift;
}

/** A fee is counted in this part of the output: the resolution that a program of the executor has. */
export const feeUnit = 1_000_000_000n;

/** What an integrator gets of an amount, rounded down as the executor does; `fee` is in billionths [Q29]. */
export function feeOf(amount: bigint, fee: bigint | undefined = 0n): bigint {
  return (amount * fee) / feeUnit;
}

/** What an integrator gets beside what the recipient gets. */
export function feeBeside(rest: bigint, fee: bigint | undefined = 0n): bigint {
  return (rest * fee) / (feeUnit - fee);
}
