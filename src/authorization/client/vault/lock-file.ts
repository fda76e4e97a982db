import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { drawHex, type Random, systemRandom } from '../../../kernel/model/random.ts';
import { readPrivateFile } from '../../../kernel/process/regular-file.ts';
import { parseJson } from '../../../kernel/text/json.ts';
import { type Clock, systemClock } from '../../../kernel/wait/clock.ts';

const pauseMs = 20; // a refresh takes about as long
/** How often a holder shows that it is alive, and after which silence it counts as dead even if its pid exists. */
const [pulseMs, longestSilenceMs] = [5_000, 60_000];

export type LockOptions = {
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Pick<Clock, 'now' | 'sleep'>;
  readonly random?: Random;
};

/**
 * Runs `work` under an exclusive lock on a path, across processes and within this one. The lock of a dead process is
 * released: at once for processes on the same machine, which see that the holder is gone, and after a minute for
 * those that share the directory over a network. It needs only files, so it works on every version of Node.js.
 */
export async function lockFile<T>(
  path: string,
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const { signal, clock = systemClock, random = systemRandom } = options;
  const held = `${path}.lock`;
  const mark = JSON.stringify({ pid: process.pid, host: hostname(), id: drawHex(random, 8) });
  while (!take(held, mark)) {
    signal?.throwIfAborted();
    if (isAbandoned(held, clock)) removeAbandoned(held, clock);
    else await clock.sleep(pauseMs, signal);
    signal?.throwIfAborted();
  }
  const done = new AbortController();
  void showPulse(held, { clock, signal: done.signal });
  try {
    return await work();
  } finally {
    done.abort();
    if (read(held) === mark) rmSync(held, { force: true });
  }
}

/** Creates the file exclusively. Returns whether this call created it. */
function take(path: string, mark: string): boolean {
  try {
    writeFileSync(path, mark, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function showPulse(
  path: string,
  { clock, signal }: { clock: Pick<Clock, 'now' | 'sleep'>; signal: AbortSignal },
): Promise<void> {
  for (;;) {
    await clock.sleep(pulseMs, signal);
    if (signal.aborted) return;
    const now = clock.now() / 1_000;
    try {
      utimesSync(path, now, now);
    } catch {
      return; // the directory is gone, and the lock with it
    }
  }
}

function isAbandoned(path: string, clock: Pick<Clock, 'now'>): boolean {
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (changedAt === undefined) return false;
  if (clock.now() - changedAt > longestSilenceMs) return true;
  const holder = parseMark(read(path));
  return holder?.host === hostname() && !isAlive(holder.pid);
}

/**
 * Removes the file of a dead holder. Of the processes that find it, one does so and checks again first: otherwise a
 * second one would remove the lock that the first has taken meanwhile.
 */
function removeAbandoned(path: string, clock: Pick<Clock, 'now'>): void {
  const removal = `${path}.removal`;
  if (!take(removal, '')) {
    const since = statSync(removal, { throwIfNoEntry: false })?.mtimeMs ?? clock.now();
    if (clock.now() - since > longestSilenceMs) rmSync(removal, { force: true });
    return;
  }
  try {
    if (isAbandoned(path, clock)) rmSync(path, { force: true });
  } finally {
    rmSync(removal, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH'); // EPERM: somebody else's, but there
  }
}

/** The file exists a moment before its text is written. A holder without text counts as alive. */
function parseMark(text: string | undefined): { pid: number; host: string } | undefined {
  try {
    return parseJson(text ?? '') as { pid: number; host: string }; // we alone write it
  } catch {
    return undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readPrivateFile(path);
  } catch {
    return undefined;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
