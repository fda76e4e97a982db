/**
 * What a server without the development chain costs until it is ready, and what it holds when idle
 * (rule H7: ready within 2 s, at most 120 MB). Each run starts the real command on an empty data directory; the first
 * with nothing compiled yet, as after `npm ci`. Run with `node bench/server/run.ts`, on Linux.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const runs = 5;
/** Long enough for the work of the start to be over. */
const idleMs = 5_000;
const launcher = fileURLToPath(new URL('../../bin/tradewind.js', import.meta.url));
const compiled = fileURLToPath(new URL('../../node_modules/.cache/tradewind', import.meta.url));

type Row = { 'ready ms': number; 'cpu ms until ready': number; 'idle rss MB': number };

async function measure(): Promise<Row> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradewind-bench-'));
  const begin = performance.now();
  const child = spawn(process.execPath, [launcher, 'serve', '--json'], {
    env: { TRADEWIND_PORT: '0', TRADEWIND_DATA_DIR: dataDir, TRADEWIND_DEVCHAIN: 'off' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  const ready = performance.now() - begin;
  const cpu = readCpuMs(child.pid);
  await sleep(idleMs);
  const rss = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
  child.kill('SIGTERM');
  await ended;
  rmSync(dataDir, { recursive: true });
  return {
    'ready ms': Math.round(ready),
    'cpu ms until ready': cpu,
    'idle rss MB': Math.round((Number(rss) * 1_024) / 1e6),
  };
}

/** User and system time of a process, which Linux counts in hundredths of a second. */
function readCpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const rows: Record<string, Row> = {};
rmSync(compiled, { recursive: true, force: true });
rows['first start'] = await measure();
for (let run = 1; run <= runs; run++) rows[`later start ${run}`] = await measure();
console.table(rows);
