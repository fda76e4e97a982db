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
