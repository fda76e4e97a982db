import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createPostgresDatabase } from '../support/create-postgres-database.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { issueToken } from '../support/issue-token.ts';
import { createMemoryProvider } from '../support/memory-oauth-provider.ts';
import { openRoundRobin } from '../support/open-round-robin.ts';
import { serve } from '../support/run-tradewind.ts';

const password = 'correct-horse-battery';

/** Two processes on one PostgreSQL behind a balancer that alternates between them. */
async function serveBehindBalancer() {
  const [port, ...ports] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const environment = {
    TRADEWIND_DATABASE_URL: await createPostgresDatabase(inject('postgresUrl')),
    TRADEWIND_SECRET_KEY: 'the same for both of them',
    TRADEWIND_PUBLIC_URL: `http://localhost:${port}`,
    TRADEWIND_OWNER_PASSWORD: password,
  };
  for (const own of ports) {
    await serve({ environment: { ...environment, TRADEWIND_PORT: String(own) } });
  }
  const balancer = await openRoundRobin(
    port,
    ports.map((own) => `http://127.0.0.1:${own}`),
  );
  return { url: environment.TRADEWIND_PUBLIC_URL, ...balancer };
}

test('a person signs in, an agent acts and events arrive, each leg at another process [T11]', async () => {
  const { url, turns } = await serveBehindBalancer();
  const person = createMemoryProvider(password);
  const open = () => {
    const endpoint = new URL('/mcp', url);
    const transport = new StreamableHTTPClientTransport(endpoint, {
      authProvider: person.provider,
    });
    const client = new Client({ name: 'agent', version: '1' });
    onTestFinished(() => client.close());
    return { client, transport };
  };

  const first = open();
  await expect(first.client.connect(first.transport)).rejects.toThrow(/unauthorized/i);
  await first.transport.finishAuth(person.callback().searchParams);
  const { client, transport } = open();
  await client.connect(transport);
  for (let times = 0; times < 4; times += 1) {
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  }

  const token = await issueToken(url, 'subscriptions.read subscriptions.write events.publish');
  const ask = async (path: string, body?: object) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
    };
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const response = await fetch(`${url}${path}`, { ...init, headers });
    expect(response.ok, `${path}: ${response.status}`).toBe(true);
    return response;
  };
  const [target, type] = [
    '//drive.googleapis.com/files/abc',
    'google.workspace.drive.file.v3.renamed',
  ];
  const wish = {
    targetResource: target,
    eventTypes: [type],
    notificationEndpoint: { eventStream: {} },
  };
  const made = (await (await ask('/v1/subscriptions', wish)).json()) as {
    response: { name: string };
  };
  const stream = (await ask(`/v1/${made.response.name}:listen`)).body!.getReader();
  for (const id of ['one', 'two']) {
    const event = { specversion: '1.0', id, source: '//test', type, subject: target };
    await ask('/v1/events', { ...event, data: { file: { name: 'files/abc' } } });
  }
  let told = '';
  while (!told.includes('"id":"two"')) {
    told += new TextDecoder().decode((await stream.read()).value);
  }
  expect(told.indexOf('"id":"one"')).toBeLessThan(told.indexOf('"id":"two"'));
  await stream.cancel();
  expect(Math.min(...turns)).toBeGreaterThan(10);
});
