export type BackoffOptions = {
  /** How often it has been tried: 1 after the first failure. */
  readonly attempts: number;
  /** In [0, 1): spreads those who failed together. */
  readonly fraction: number;
};

const shortest = 1_000;
const longest = 5 * 60_000;

/** Milliseconds until the next attempt: doubling from about a second to about five minutes. */
export function backoffDelay({ attempts, fraction }: BackoffOptions): number {
  const delay = Math.min(shortest * 2 ** (attempts - 1), longest);
  return Math.round(delay * (0.5 + fraction / 2));
}
