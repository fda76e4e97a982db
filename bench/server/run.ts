/**
 * What a server without the development chain costs until it is ready, and its memory when idle
 * (rule H7: ready within 2 s, at most 120 MB). Each run starts the real command on an empty data directory: the first
 * with an empty compile cache, the second with the cache that an install fills. Run with `node bench/server/run.ts`, on Linux.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startServer } from './start-server.ts';

const runs = 5;
/** Long enough for the work of the start to finish. */
const idleMs = 5_000;
const compiled = fileURLToPath(new URL('../../node_modules/.cache/tradewind', import.meta.url));
const afterInstall = fileURLToPath(new URL('../../scripts/keep-compiled.js', import.meta.url));

type Row = { 'ready ms': number; 'cpu ms until ready': number; 'idle rss MB': number };

async function measure(): Promise<Row> {
  const begin = performance.now();
  const server = await startServer();
  const ready = performance.now() - begin;
  const cpu = server.readCpuMs();
  await sleep(idleMs);
  const rss = server.readRssMb();
  await server.stop();
  return {
    'ready ms': Math.round(ready),
    'cpu ms until ready': cpu,
    'idle rss MB': Math.round(rss),
  };
}

const rows: Record<string, Row> = {};
rmSync(compiled, { recursive: true, force: true });
rows['nothing compiled'] = await measure();
rmSync(compiled, { recursive: true, force: true });
execFileSync(process.execPath, [afterInstall]);
rows['first start after an install'] = await measure();
for (let run = 1; run <= runs; run++) rows[`later start ${run}`] = await measure();
console.table(rows);
