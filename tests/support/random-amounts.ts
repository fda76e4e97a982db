import fc from 'fast-check';

/** Positive amounts of at most `most` bits, with every bit length equally likely. */
export function amountsOfBits(most: number): fc.Arbitrary<bigint> {
  return fc
    .integer({ min: 0, max: most - 1 })
    .chain((bit) => fc.bigInt(1n << BigInt(bit), (2n << BigInt(bit)) - 1n));
}

/** An amount times a power of two, at least one unit; every exponent between the two is equally likely. */
export function powersOfTwoTimes(
  amount: bigint,
  [lowest, highest]: [number, number],
): fc.Arbitrary<bigint> {
  return fc
    .integer({ min: lowest * 100, max: highest * 100 })
    .map((hundredths) => scaleAmount(amount, 2 ** (hundredths / 100)) || 1n);
}

export function scaleAmount(amount: bigint, factor: number): bigint {
  return (amount * BigInt(Math.floor(factor * 2 ** 40))) >> 40n;
}
