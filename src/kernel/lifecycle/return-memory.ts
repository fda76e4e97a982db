import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By then nothing of the start is left to do. */
const pauseBetweenLooks = 2_000;
/** The share of its time that an idle server works, at most. */
const idleShare = 0.1;

/**
 * Gives back to the system what only the start needed, in the first pause in which there is little to
 * do: compiling and loading leave some 25 MB of garbage that V8 would keep until the heap is next under
 * pressure, which in an idle server may be never. A busy one collects by itself and must not be held
 * up: this takes a fifth of a second.
 */
export function returnMemory(): void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > idleShare) return;
    clearInterval(timer);
    collect();
  }, pauseBetweenLooks).unref();
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  // The function exists only in contexts made after the flag was set.
  const gc: NodeJS.GCFunction = runInNewContext('gc');
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
