/** Random choices, the same for the same fractions. */
export type Dice = {
  fraction(): number;
  pick<T>(choices: readonly T[]): T;
  /** From one number to another, every order of magnitude equally likely. */
  magnitude(low: number, high: number): number;
};

export function createDice(fraction: () => number): Dice {
  return {
    fraction,
    pick: (choices) => choices[Math.floor(fraction() * choices.length)]!,
    magnitude: (low, high) => low * (high / low) ** fraction(),
  };
}
