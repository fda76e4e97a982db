import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createEdge } from '../../src/kernel/http/create-edge.ts';
import { openListener } from '../../src/kernel/http/listener/open-listener.ts';
import type { EdgeEnv } from '../../src/kernel/http/mount/edge-env.ts';
import type { Endpoint } from '../../src/kernel/http/mount/endpoint.ts';
import { systemRandom } from '../../src/kernel/random/random.ts';
import { systemClock } from '../../src/kernel/time/clock.ts';

// One server of the comparison, in its own process, so that its processor time is counted alone.
const variant = process.argv[2];
const answer = { status: 'ok' };

const app = new Hono<EdgeEnv>();
app.get('/status', (c) => c.json(answer));
app.post('/status', async (c) => c.json(await c.req.json()));

const headers = { 'Content-Type': 'application/json' };
const body = JSON.stringify(answer);
const endpoints: readonly Endpoint[] =
  variant === 'endpoint'
    ? [
        { method: 'GET', path: '/status', answer: () => ({ status: 200, headers, body }) },
        {
          method: 'POST',
          path: '/status',
          answer: (call) => ({ status: 200, headers, body: JSON.stringify(JSON.parse(call.body)) }),
        },
      ]
    : [];

const port = await listen();
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.send?.({ port });

async function listen(): Promise<number> {
  if (variant === 'edge' || variant === 'endpoint') {
    const edge = createEdge({
      publicUrl: new URL('http://localhost:8787'),
      trustedProxies: [],
      mounts: [{ app, endpoints, paths: { '/status': { origins: 'any' } } }],
      logger: { debug: () => {}, info: () => {}, error: () => {} },
      clock: systemClock,
      random: systemRandom,
    });
    const options = { host: '127.0.0.1', port: 0, trustedProxies: [], clock: systemClock };
    const direct = variant === 'endpoint' ? { answerDirectly: edge.answerDirectly } : {};
    return (await openListener({ fetch: edge.fetch, ...direct, ...options })).port;
  }
  const server =
    variant === 'hono'
      ? createServer(getRequestListener((request) => app.fetch(request)))
      : createServer((request, response) => {
          response.setHeader('Content-Type', 'application/json');
          if (request.method === 'POST') request.pipe(response);
          else response.end(JSON.stringify(answer));
        });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
