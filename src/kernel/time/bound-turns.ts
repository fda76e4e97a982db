import type { Clock } from './clock.ts';

/** Does a step, if need be in a later turn of the event loop. */
export type InTurn = <T>(step: () => T) => Promise<T>;

/** Milliseconds of one turn of the event loop after which steps wait for the next. */
const longestTurn = 5;

/**
 * For work in many steps that could block the event loop: however many steps there are, of one caller or of all that
 * share this function, the loop turns between them, and everything else goes on (N1).
 */
export function boundTurns(clock: Clock): InTurn {
  /** When the first step of this turn began. */
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

  return async (step) => {
    while (isOver()) await clock.turn();
    return step();
  };
}
