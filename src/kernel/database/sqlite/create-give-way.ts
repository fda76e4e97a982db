import type { Clock } from '../../time/clock.ts';

/** Runs a statement, if need be in a later turn of the event loop. */
export type GiveWay = <T>(statement: () => T) => Promise<T>;

/** Milliseconds of one turn of the event loop after which statements wait for the next. */
const longestTurn = 5;

/**
 * Statements of the embedded engine run on the thread that serves. However many there are, of one transaction or of all
 * who ask, the event loop turns between them, and everything else goes on (N1).
 */
export function createGiveWay(clock: Clock): GiveWay {
  /** When the first statement of this turn began. */
  let begun: number | undefined;

  const isOver = (): boolean => {
    const now = clock.elapsed();
    if (begun === undefined) {
      begun = now;
      void clock.turn().then(() => {
        begun = undefined;
      });
    }
    return now - begun > longestTurn;
  };

  return async (statement) => {
    while (isOver()) await clock.turn();
    return statement();
  };
}
