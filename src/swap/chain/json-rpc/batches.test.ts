import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { systemRandom } from '../../../kernel/model/random.ts';
import { createTracer, type EndedSpan, inSpan } from '../../../kernel/telemetry/trace.ts';
import { systemClock } from '../../../kernel/wait/clock.ts';
import { sendBatch } from './batches.ts';
import { parsePostTarget } from './post-json.ts';
import { createRpcTransport } from './rpc-transport.ts';

const requests = [
  { method: 'eth_chainId', params: [] },
  { method: 'eth_blockNumber', params: [] },
];

/** A node that answers each request by its id. */
async function openNode(status = 200) {
  const headers: unknown[] = [];
  const node = createServer(async (request, response) => {
    headers.push(request.headers.traceparent);
    let text = '';
    for await (const chunk of request) text += chunk;
    const asked = JSON.parse(text) as { id: number }[];
    const answers = asked.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' }));
    response.writeHead(status).end(JSON.stringify(answers));
  }).listen(0, '127.0.0.1');
  await once(node, 'listening');
  onTestFinished(() => {
    node.close();
    node.closeAllConnections();
  });
  const transport = createRpcTransport();
  onTestFinished(() => transport.close());
  const { port } = node.address() as AddressInfo;
  const options = {
    target: parsePostTarget(`http://127.0.0.1:${port}/v1/a-secret-key`),
    transport,
    signal: new AbortController().signal,
    now: 0,
  };
  return { headers, send: () => sendBatch(requests, options) };
}

it('a post to a node is a step of the trace that it is made in, and tells no key [T5]', async () => {
  const { headers, send } = await openNode();
  const ended: EndedSpan[] = [];
  const record = (span: EndedSpan) => void ended.push(span);
  const tracer = createTracer({ clock: systemClock, random: systemRandom, record });
  const asked = tracer.begin('server', undefined);
  expect(await inSpan(asked, send)).toHaveLength(2);
  expect(ended).toMatchObject([
    {
      traceId: asked.traceId,
      parentId: asked.spanId,
      kind: 'client',
      name: 'JSON-RPC eth_chainId eth_blockNumber',
      attributes: { 'rpc.requests': 2, 'server.address': '127.0.0.1' },
      isFailure: false,
    },
  ]);
  expect(JSON.stringify(ended)).not.toContain('a-secret-key');
  // Nodes of others get no trace headers.
  expect(headers).toEqual([undefined]);
});

it('a post that fails is a failed step, and outside of a trace there is none [T5]', async () => {
  const { send } = await openNode(500);
  const ended: EndedSpan[] = [];
  const record = (span: EndedSpan) => void ended.push(span);
  const tracer = createTracer({ clock: systemClock, random: systemRandom, record });
  await send();
  expect(ended).toEqual([]);
  await inSpan(tracer.begin('server', undefined), send);
  expect(ended).toMatchObject([{ isFailure: true }]);
});
