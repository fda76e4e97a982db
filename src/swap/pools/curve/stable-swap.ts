/**
 * The invariant `D` of a StableSwap pool: Newton's iteration of `get_D`, which ends when a step
 * moves by one unit at most. Balances are scaled to 18 decimals. Undefined where a product leaves 256 bits:
 * the pool refuses. Does not check that balances are positive.
 */
export function stableSwapInvariant(
  balances: readonly bigint[],
  amplification: bigint,
): bigint | undefined {
  const count = BigInt(balances.length);
  const sum = balances.reduce((total, balance) => total + balance, 0n);
  const slope = amplification * count;
  let invariant = sum;
  for (let round = 0; round < 255; round++) {
    let quotient = invariant;
    for (const balance of balances) {
      const product = quotient * invariant;
      if (!fits(product)) return undefined;
      quotient = product / (balance * count + 1n);
    }
    const previous = invariant;
    const numerator = (slope * sum + quotient * count) * invariant;
    const denominator = (slope - 1n) * invariant + (count + 1n) * quotient;
    if (!fits(numerator | denominator) || denominator === 0n) return undefined;
    invariant = numerator / denominator;
    if (isWithinOne(invariant, previous)) break;
  }
  return invariant;
}

/**
 * The balance of coin `unknown` that the invariant leaves, given those of all the others: Newton's
 * iteration of `get_y`. Undefined where the pool refuses: a product leaves 256 bits, or a divisor is
 * not positive. Does not check that the other balances are positive.
 */
export function stableSwapBalance(
  balances: readonly bigint[],
  {
    unknown,
    invariant,
    amplification,
  }: { readonly unknown: number; readonly invariant: bigint; readonly amplification: bigint },
): bigint | undefined {
  const count = BigInt(balances.length);
  const slope = amplification * count;
  let quotient = invariant;
  let sum = 0n;
  let widest = 0n;
  for (const [index, balance] of balances.entries()) {
    if (index === unknown) continue;
    sum += balance;
    widest |= quotient * invariant;
    quotient = (quotient * invariant) / (balance * count);
  }
  widest |= quotient * invariant;
  quotient = (quotient * invariant) / (slope * count);
  const linear = sum + invariant / slope;
  let balance = invariant;
  for (let round = 0; round < 255; round++) {
    const previous = balance;
    const numerator = balance * balance + quotient;
    const denominator = 2n * balance + linear - invariant;
    widest |= numerator;
    if (denominator <= 0n || !fits(widest)) return undefined;
    balance = numerator / denominator;
    if (isWithinOne(balance, previous)) break;
  }
  return balance;
}

function isWithinOne(one: bigint, other: bigint): boolean {
  const difference = one - other;
  return difference <= 1n && difference >= -1n;
}

/** Whether each of the numbers that were joined by `|` has at most 256 bits. */
function fits(joined: bigint): boolean {
  return joined >> 256n === 0n;
}
