import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../time/clock.ts';

/** By then nothing of the start is left to do. */
const pauseBetweenLooks = 2_000;
/** The share of its time that an idle server works, at most. */
const idleShare = 0.1;

/**
 * Gives back to the system what only the start needed, in the first pause in which there is little to
 * do: compiling and loading leave some 25 MB of garbage that V8 would keep until the heap is next under
 * pressure, which in an idle server may be never. A busy one collects by itself and must not be held
 * up: this takes a fifth of a second. Gives up when the signal fires.
 */
export async function returnMemory(clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    const before = performance.eventLoopUtilization();
    await clock.sleep(pauseBetweenLooks, signal);
    if (signal.aborted) return;
    if (performance.eventLoopUtilization(before).utilization > idleShare) continue;
    return collect();
  }
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  // The function exists only in contexts made after the flag was set.
  const gc: NodeJS.GCFunction = runInNewContext('gc');
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
