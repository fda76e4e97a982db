import { expect, inject, test } from 'vitest';
import { sql } from '../../src/kernel/database/sql.ts';
import { createPostgresDatabase } from '../support/create-postgres-database.ts';
import { issueToken } from '../support/issue-token.ts';
import { openPostgresProxy } from '../support/open-postgres-proxy.ts';
import { serve } from '../support/run-tradewind.ts';
import { withDatabase } from '../support/with-database.ts';

async function serveThroughProxy(environment: Record<string, string> = {}) {
  const databaseUrl = await createPostgresDatabase(inject('postgresUrl'));
  const proxy = await openPostgresProxy(databaseUrl);
  const server = await serve({
    environment: { TRADEWIND_DATABASE_URL: proxy.url, ...environment },
  });
  const token = await issueToken(server.url, 'events.publish');
  const publish = (id: string, signal: AbortSignal | null = null) =>
    fetch(`${server.url}/v1/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'ce-specversion': '1.0',
        'ce-id': id,
        'ce-source': '//chat.googleapis.com/spaces/A',
        'ce-type': 'google.workspace.chat.message.v1.created',
        'ce-subject': '//chat.googleapis.com/spaces/A',
      },
      body: JSON.stringify({ message: { name: 'spaces/A/messages/1' } }),
      signal,
    });
  const published = async () => {
    const ids: string[] = [];
    await withDatabase({ dataDir: '', url: databaseUrl }, async (database) => {
      const rows = await database.all<{ id: string }>(
        sql`SELECT id FROM events_published WHERE type LIKE 'google%' ORDER BY id`,
      );
      ids.push(...rows.map(({ id }) => id));
    });
    return ids;
  };
  return { server, proxy, publish, published };
}

test('publishing recovers from connections that died silently, health reports them, and callers who left are not served later [D1]', async () => {
  const { server, proxy, publish, published } = await serveThroughProxy({
    TRADEWIND_DATABASE_TIMEOUT: '3s',
  });
  expect((await publish('1')).status).toBe(202);
  proxy.freeze();
  const leaving = new AbortController();
  const hung = publish('2');
  const left = publish('3', leaving.signal).catch((error: Error) => error.name);
  // The health check waits for the same store, so by its answer both requests have reached the store.
  expect((await fetch(`${server.url}/health`)).status).toBe(503);
  leaving.abort();
  expect(await left).toBe('AbortError');
  const refused = await hung;
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ error: { status: 'UNAVAILABLE' } });
  proxy.thaw();
  await expect.poll(async () => (await publish('4')).status).toBe(202);
  await expect.poll(async () => (await fetch(`${server.url}/health`)).status).toBe(200);
  expect(await published()).toEqual(['1', '4']);
});
