import { existsSync } from 'node:fs';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { DataDirectory } from '../../kernel/files/data-directory.ts';
import type { Finding } from './finding.ts';

const leastFreeBytes = 256 * 1024 * 1024;

/**
 * Whether the data directory can be written and has room to grow. If it does not exist, the nearest directory above it
 * that does is checked.
 */
export async function checkDisk(dataDir: DataDirectory): Promise<Finding> {
  const path = resolve(dataDir);
  const there = nearestThere(path);
  try {
    // In a directory of its own, whose name nobody can guess.
    const probe = await mkdtemp(join(there, '.doctor-'));
    await writeFile(join(probe, 'probe'), 'probe', { flag: 'wx', flush: true }).finally(() =>
      rm(probe, { recursive: true, force: true }),
    );
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    const mend = isFull ? 'make room on its disk' : 'make the directory writable for this user';
    return {
      check: 'disk',
      ok: false,
      detail: `${path} cannot be written: ${error instanceof Error ? error.message : error}`,
      mend: `${mend}, or choose another with TRADEWIND_DATA_DIR`,
    };
  }
  const { bavail, bsize } = await statfs(there);
  const free = bavail * bsize;
  const detail = `${path} is writable, ${Math.floor(free / 1024 ** 2)} MiB free`;
  if (free >= leastFreeBytes) return { check: 'disk', ok: true, detail };
  return {
    check: 'disk',
    ok: false,
    detail,
    mend: 'free at least 256 MiB, or choose another directory with TRADEWIND_DATA_DIR',
  };
}

function nearestThere(path: string): string {
  return existsSync(path) ? path : nearestThere(dirname(path));
}
