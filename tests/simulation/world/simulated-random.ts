import type { Random } from '../../../src/kernel/model/random.ts';
import { createSeededFractions } from '../../support/seeded-fractions.ts';

/** Randomness that is the same for the same seed. */
export type SimulatedRandom = Random & {
  /** A whole number below a bound. */
  below(bound: number): number;
  pick<T>(choices: readonly T[]): T;
  between(low: number, high: number): number;
};

export function createSimulatedRandom(seed: number): SimulatedRandom {
  const fraction = createSeededFractions(seed);
  const below = (bound: number) => Math.floor(fraction() * bound);
  return {
    fraction,
    below,
    between: (low, high) => low + fraction() * (high - low),
    pick: (choices) => choices[below(choices.length)]!,
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  };
}
