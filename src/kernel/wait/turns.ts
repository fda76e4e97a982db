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

/**
 * Returns a function that resolves in the next turn of the event loop, at the same moment for all who call it in this
 * one. Each step that follows then runs for all of them back to back, while its code and tables are in the processor's
 * caches.
 */
export function shareTurn(clock: Clock): () => Promise<void> {
  let next: Promise<void> | undefined;
  return () => {
    next ??= clock.turn().then(() => {
      next = undefined;
    });
    return next;
  };
}

/** Milliseconds: two turns of an idle event loop take less. */
const quietFor = 0.2;
const longestWait = 10;

/**
 * Lets other work go first: resolves once the event loop is idle, or soon after ten milliseconds. For
 * work that can wait, on a thread that also does work that cannot.
 */
export async function giveWay(clock: Clock): Promise<void> {
  const cameAt = clock.elapsed();
  for (let since = cameAt; since < cameAt + longestWait; since = clock.elapsed()) {
    await clock.turn();
    await clock.turn();
    if (clock.elapsed() - since < quietFor) return;
    await clock.sleep(1);
  }
}
