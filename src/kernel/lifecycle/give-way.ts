import type { Clock } from '../time/clock.ts';

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
