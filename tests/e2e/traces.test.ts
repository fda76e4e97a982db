import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { issueToken } from '../support/issue-token.ts';
import { serve } from '../support/run-tradewind.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${callerSpan}-01`;
const [target, type] = [
  '//drive.googleapis.com/files/abc',
  'google.workspace.drive.file.v3.renamed',
];

type Seen = { readonly headers: IncomingHttpHeaders; readonly path: string; readonly body: string };

/** A server that records requests. */
async function openSink() {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ headers: request.headers, path: request.url ?? '', body });
      response.writeHead(200).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Publishes one event in a trace, and returns what the webhook got. */
async function deliver(environment: Record<string, string>) {
  const receiver = await openSink();
  const server = await serve({
    environment: { ...environment, TRADEWIND_WEBHOOK_TRUSTED: receiver.url },
  });
  const token = await issueToken(
    server.url,
    'subscriptions.read subscriptions.write events.publish',
  );
  const post = async (path: string, body: object) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      traceparent,
    };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    expect((await fetch(`${server.url}${path}`, init)).ok).toBe(true);
  };
  const notificationEndpoint = { webhook: { uri: `${receiver.url}/hook` } };
  await post('/v1/subscriptions', {
    targetResource: target,
    eventTypes: [type],
    notificationEndpoint,
  });
  const event = { specversion: '1.0', id: 'one', source: '//test', type, subject: target };
  await post('/v1/events', { ...event, data: { file: { name: 'files/abc' } } });
  await expect.poll(() => receiver.seen.length).toBe(1);
  return { ...server, got: receiver.seen[0]! };
}

type Span = { traceId: string; spanId: string; parentSpanId?: string; name: string; kind: number };

function spansIn(seen: readonly Seen[]): Span[] {
  return seen.flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: Span[] }[] }) =>
      resource.scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
}

test('a trace goes on from the caller through the server to the webhook, and to the collector [T5]', async () => {
  const collector = await openSink();
  const { got, process, ended, output } = await deliver({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20key',
  });
  process.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(new Set(collector.seen.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
  expect(collector.seen[0]?.headers['api-key']).toBe('a key');
  const spans = spansIn(collector.seen).filter((span) => span.traceId === traceId);
  const published = spans.find(({ name }) => name === 'POST /v1/events');
  expect(published).toMatchObject({ parentSpanId: callerSpan, kind: 2 });
  const posted = spans.find(({ name }) => name === 'POST webhook');
  expect(posted).toMatchObject({ parentSpanId: published?.spanId, kind: 3 });
  expect(got.headers.traceparent).toBe(`00-${traceId}-${posted?.spanId}-01`);
  const lines = output()
    .stderr.split('\n')
    .filter((line) => line.includes('"/v1/events"'));
  expect(lines.map((line) => JSON.parse(line).traceId)).toEqual([traceId]);
});

test('nothing is traced, logged or handed on where no collector is named [T5]', async () => {
  const { got, output } = await deliver({});
  expect(got.headers.traceparent).toBeUndefined();
  expect(output().stderr).not.toContain(traceId);
});
