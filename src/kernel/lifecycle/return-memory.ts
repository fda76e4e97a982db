import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../time/clock.ts';

/** Milliseconds. By then the start is over. */
const pauseBetweenLooks = 2_000;
/** The largest share of its time for which an idle server works. */
const idleShare = 0.1;

/**
 * Returns memory that only the start needed to the system, in the first pause with little to do.
 * Compiling and loading leave some 25 MB of garbage, which V8 would keep until the heap is next under
 * pressure; in an idle server that may be never. A busy server collects garbage by itself and must not
 * be blocked: this takes a fifth of a second. Gives up when the signal fires.
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
