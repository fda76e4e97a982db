import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Finding } from './finding.ts';

const leastFreeBytes = 256 * 1024 * 1024;

/** Whether the data directory can be written and has room to grow. Creates it where it is missing. */
export async function checkDisk(dataDir: string): Promise<Finding> {
  const path = resolve(dataDir);
  const probe = join(path, `.doctor-${process.pid}`);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await writeFile(probe, 'probe', { flush: true });
    await rm(probe);
  } catch (error) {
    return {
      check: 'disk',
      ok: false,
      detail: `${path} cannot be written: ${error instanceof Error ? error.message : error}`,
      mend: 'make the directory writable for this user, or choose another with TRADEWIND_DATA_DIR',
    };
  }
  const { bavail, bsize } = await statfs(path);
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
