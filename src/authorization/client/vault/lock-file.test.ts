import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lockFile } from './lock-file.ts';

function choosePath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tradewind-lock-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'grant');
}

const hold = (path: string, mark: object) => writeFileSync(`${path}.lock`, JSON.stringify(mark));

/** The id of a process that has ended. */
function deadProcess(): number {
  return Number(execFileSync(process.execPath, ['-p', 'process.pid']));
}

it('admits one holder of a path at a time, and removes the lock file afterwards', async () => {
  const path = choosePath();
  let [inside, most] = [0, 0];
  const work = async () => {
    most = Math.max(most, ++inside);
    await new Promise(setImmediate);
    inside--;
  };
  await Promise.all(Array.from({ length: 5 }, () => lockFile(path, work)));
  expect(most).toBe(1);
  expect(existsSync(`${path}.lock`)).toBe(false);
});

it('releases the lock when the work throws', async () => {
  const path = choosePath();
  await expect(lockFile(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await lockFile(path, async () => 'next')).toBe('next');
});

it('takes over at once from a process of this machine that is dead', async () => {
  const path = choosePath();
  hold(path, { pid: deadProcess(), host: hostname(), id: 'a' });
  expect(await lockFile(path, async () => 'taken')).toBe('taken');
});

it('takes over a lock that was not renewed for a minute, even if its process id is in use', async () => {
  const path = choosePath();
  hold(path, { pid: process.pid, host: hostname(), id: 'a' });
  const longAgo = Date.now() / 1_000 - 61;
  utimesSync(`${path}.lock`, longAgo, longAgo);
  expect(await lockFile(path, async () => 'taken')).toBe('taken');
});

it('waits for a live holder, here or on another machine, until the caller gives up', async () => {
  for (const host of [hostname(), 'another machine']) {
    const path = choosePath();
    hold(path, { pid: host === hostname() ? process.pid : deadProcess(), host, id: 'a' });
    const caller = new AbortController();
    let naps = 0;
    const clock = {
      now: () => Date.now(),
      sleep: async () => {
        if (++naps === 3) caller.abort(new Error('gave up'));
      },
    };
    const waiting = lockFile(path, async () => 'taken', { clock, signal: caller.signal });
    await expect(waiting).rejects.toThrow('gave up');
  }
});
