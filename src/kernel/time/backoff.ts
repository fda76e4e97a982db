export type BackoffOptions = {
  /** How often it has been tried: 1 after the first failure. */
  readonly attempts: number;
  /** In [0, 1): spreads those who failed together. */
  readonly fraction: number;
  /** In milliseconds: about a second if not said otherwise. */
  readonly shortest?: number;
  /** In milliseconds: about five minutes if not said otherwise. */
  readonly longest?: number;
};

/** Milliseconds until the next attempt: doubling from the shortest to the longest, less up to half. */
export function backoffDelay(options: BackoffOptions): number {
  const { attempts, fraction, shortest = 1_000, longest = 5 * 60_000 } = options;
  const delay = Math.min(shortest * 2 ** (attempts - 1), longest);
  return Math.round(delay * (0.5 + fraction / 2));
}
