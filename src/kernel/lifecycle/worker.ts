/** A piece of background work. */
export type Worker = {
  readonly name: string;
  /**
   * Milliseconds within which a healthy worker calls `move`. One that does not makes the process
   * unhealthy (N10). If absent, nobody checks.
   */
  readonly movesWithin?: number;
  /**
   * Returns once the signal has fired and its work has stopped. Calls `move` with each round of work that it could do: a
   * worker whose rounds all fail counts as stuck, though it goes on trying.
   */
  run(signal: AbortSignal, move?: () => void): Promise<void>;
};

/** Milliseconds for a worker whose rounds are seconds apart: every wait in a round ends long before. */
export const patienceWithWorker = 60_000;
