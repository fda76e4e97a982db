import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { askForReading, type ProbeAnswer } from './reading.ts';

// Loaded into the process before the server (`--import`): reports what the process holds, and does nothing else.
if (isMainThread && process.send !== undefined) {
  process.on('message', (asked) => {
    if (asked === askForReading) void read().then((answer) => process.send?.(answer));
  });
  process.channel?.unref();
}

let readings = 0;

/** The caller has to remove the snapshot file. */
async function read(): Promise<ProbeAnswer> {
  await collect();
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
  const name = `tradewind-soak-${process.pid}-${++readings}.heapsnapshot`;
  const snapshot = writeHeapSnapshot(join(tmpdir(), name));
  const { heapUsed, rss } = process.memoryUsage();
  return { heapBytes: heapUsed, residentBytes: rss, handles, descriptors: descriptors(), snapshot };
}

/** Collects several times: finalizers run in the next turn and may release more, as listeners of ended requests do. */
async function collect(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const gc: NodeJS.GCFunction = runInNewContext('gc');
  for (let round = 0; round < 3; round += 1) {
    gc({ type: 'major', execution: 'sync' });
    await sleep(20);
  }
}

function descriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
