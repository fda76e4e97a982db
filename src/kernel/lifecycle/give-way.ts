import type { Clock } from '../time/clock.ts';

/** Two turns of the event loop in which nobody has anything to do take less, in milliseconds. */
const quietFor = 0.2;
const longestWait = 10;

/**
 * Lets others go first: resolves once nobody else has anything to do, or soon after ten milliseconds. For
 * work that can wait, on the thread that also does what cannot.
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
