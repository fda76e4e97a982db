import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../kernel/wait/clock.ts';

/** Milliseconds. By then the start is over. */
const pauseBetweenLooks = 2_000;
/** Ten seconds. What is in memory later belongs to the load, and collecting it could take seconds. */
const mostLooks = 5;
/** The largest share of its time for which an idle server works. */
const idleShare = 0.1;

type ReturnMemoryOptions = {
  readonly clock: Clock;
  /** Gives up when it fires. */
  readonly signal: AbortSignal;
  /** The event loop and the collector of this process, unless a test hands in its own. */
  readonly utilization?: typeof performance.eventLoopUtilization;
  collect?(): void;
};

/**
 * Returns memory that only the start needed to the system, in the first pause with little to do. Compiling and
 * loading leave some 60 MB, which V8 would keep until the heap is next under pressure; in an idle server that may be
 * never. It blocks the event loop for some 50 ms. A server that is busy for its first ten seconds collects garbage
 * by itself and is left alone.
 */
export async function returnMemory({
  clock,
  signal,
  utilization = performance.eventLoopUtilization,
  collect = collectGarbage,
}: ReturnMemoryOptions): Promise<void> {
  for (let look = 0; look < mostLooks; look++) {
    const before = utilization();
    await clock.sleep(pauseBetweenLooks, signal);
    if (signal.aborted) return;
    if (utilization(before).utilization <= idleShare) return collect();
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  // The function exists only in contexts made after the flag was set.
  const gc: NodeJS.GCFunction = runInNewContext('gc');
  gc({ type: 'major', execution: 'sync' });
}
