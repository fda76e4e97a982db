import type { Reading } from './reading.ts';

export type SoakReport = {
  readonly before: Reading;
  readonly after: Reading;
  /** How often each part was done between the two. */
  readonly rounds: Readonly<Record<string, number>>;
  /** Why rounds were not, each with its part: a busy machine has a server refuse some. */
  readonly refusals: readonly string[];
};
