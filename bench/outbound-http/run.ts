import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { parseNetworks } from '../../src/kernel/model/network.ts';
import { createOutboundHttp } from '../../src/kernel/outbound/outbound-http.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';

/**
 * What the guarded HTTP client costs: posts of 330 bytes to one sink, like webhooks, through the guarded client,
 * through the HTTP client below it, and through the runtime's own fetch. Processor time is that of this process.
 *
 * Run: node bench/outbound-http/run.ts [requests]
 */
const requests = Number(process.argv[2] ?? 20_000);
const concurrency = 64;
const headers = { 'content-type': 'application/cloudevents+json' };
const body = 'x'.repeat(330);

const sink = fork(join(import.meta.dirname, 'sink.ts'));
const [{ port }] = await once(sink, 'message');
const url = `http://127.0.0.1:${port}/hook`;

const connections = 16;
const agent = new Agent({ connections });
const guarded = (pipelining: number) =>
  createOutboundHttp({
    allowNetworks: parseNetworks(['loopback']),
    clock: systemClock,
    limits: { connectionsPerOrigin: connections, pipelining },
  });
const plain = guarded(1);
const pipelined = guarded(4);

const rows = [
  await measure('fetch', async () => {
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.arrayBuffer();
  }),
  await measure('undici.request', async () => {
    const response = await request(url, { method: 'POST', headers, body, dispatcher: agent });
    await response.body.arrayBuffer();
  }),
  await measure('guarded', () => plain.request({ method: 'POST', url, headers, body })),
  await measure('guarded, pipelining 4', () =>
    pipelined.request({ method: 'POST', url, headers, body, idempotent: true }),
  ),
];
console.table(rows);
await Promise.all([plain.close(), pipelined.close(), agent.close()]);
sink.kill();
process.exit(0);

async function measure(client: string, post: () => Promise<unknown>) {
  await load(post, requests / 4);
  const before = process.cpuUsage();
  const start = performance.now();
  await load(post, requests);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  return {
    client,
    'cpu µs a request': Number(((user + system) / requests).toFixed(1)),
    'requests a second': Math.round(requests / seconds),
  };
}

async function load(post: () => Promise<unknown>, count: number): Promise<void> {
  let left = count;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      await post();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
}
