import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Pool } from 'undici';

/**
 * What the edge costs: processor time per request of a bare Node.js server, of Hono on the same server,
 * of Hono behind the edge, and of an endpoint of the edge. One request gets a constant answer, the other
 * sends a small JSON body.
 *
 * Run: node bench/edge/run.ts [requests]
 */
const requests = Number(process.argv[2] ?? 10_000);
const concurrency = 32;
const body = JSON.stringify({ hello: 'world', padding: 'x'.repeat(300) });

const rounds = 3;

const rows = [];
for (const method of ['GET', 'POST'] as const) {
  const micros: Record<string, number[]> = { 'node:http': [], hono: [], edge: [], endpoint: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [variant, measured] of Object.entries(micros)) {
      measured.push(await measure(variant, method));
    }
  }
  for (const [server, measured] of Object.entries(micros)) {
    rows.push({ method, server, 'cpu µs a request, best round': Math.min(...measured).toFixed(1) });
  }
}
console.table(rows);

async function measure(variant: string, method: 'GET' | 'POST'): Promise<number> {
  const server = fork(join(import.meta.dirname, 'server.ts'), [variant]);
  const [{ port }] = await once(server, 'message');
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: concurrency });
  await load(pool, method, requests / 2);
  const before = await cpuOf(server);
  await load(pool, method, requests);
  const after = await cpuOf(server);
  await pool.close();
  server.kill();
  return (after.user + after.system - before.user - before.system) / requests;
}

async function load(pool: Pool, method: 'GET' | 'POST', count: number): Promise<void> {
  let left = count;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      const payload =
        method === 'POST' ? { body, headers: { 'content-type': 'application/json' } } : {};
      const response = await pool.request({ path: '/status', method, ...payload });
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
}

async function cpuOf(server: ChildProcess): Promise<NodeJS.CpuUsage> {
  server.send('cpu');
  const [{ cpu }] = await once(server, 'message');
  return cpu;
}
