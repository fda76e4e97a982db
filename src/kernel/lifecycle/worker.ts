/** A piece of background work. */
export type Worker = {
  readonly name: string;
  /**
   * Milliseconds within which it moves while all is well. One that does not is a hindrance of health
   * (N10); without this nobody looks.
   */
  readonly movesWithin?: number;
  /**
   * Returns once the signal has fired and its work is put down. Calls `move` with each round of its work that it could do:
   * one whose rounds all fail stands still, though it goes on trying.
   */
  run(signal: AbortSignal, move?: () => void): Promise<void>;
};

/** Milliseconds for a worker whose rounds are seconds apart: every wait in a round ends long before. */
export const patienceWithWorker = 60_000;
