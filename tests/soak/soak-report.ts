import type { Reading } from './reading.ts';

export type SoakReport = {
  readonly before: Reading;
  readonly after: Reading;
  /** How many rounds each part made between the two readings. */
  readonly rounds: Readonly<Record<string, number>>;
  /** Why rounds failed, each with its part: on a busy machine a server refuses some. */
  readonly refusals: readonly string[];
};
