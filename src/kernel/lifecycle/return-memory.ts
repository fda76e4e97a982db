import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Gives back to the system what only the start needed: compiling and loading leave some 25 MB of garbage
 * that V8 would keep until the heap is next under pressure, which in an idle server may be never.
 */
export function returnMemory(): void {
  setFlagsFromString('--expose-gc');
  // The function exists only in contexts made after the flag was set.
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
