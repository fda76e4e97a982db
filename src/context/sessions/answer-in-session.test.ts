import { McpServer } from '@modelcontextprotocol/server';
import { expect, it, onTestFinished } from 'vitest';
import { createDataDir } from '../../../tests/support/create-data-dir.ts';
import { migrate } from '../../kernel/database/migrate.ts';
import { openDatabase } from '../../kernel/database/open-database.ts';
import { systemRandom } from '../../kernel/random/random.ts';
import { systemClock } from '../../kernel/time/clock.ts';
import { admitListeners } from '../http/admit-listeners.ts';
import { contextMigrations } from '../store/context-migrations.ts';
import { openSessions } from './open-sessions.ts';

const revision = '2025-11-25';

/** A server whose one tool asks the client's model something. */
function createServer(): McpServer {
  const server = new McpServer({ name: 'asking', version: '1' });
  server.registerTool('ask', { description: 'Asks the model.' }, async ({ mcpReq }) => {
    await mcpReq.requestSampling({ messages: [], maxTokens: 1 });
    return { content: [] };
  });
  return server;
}

async function openSending() {
  const database = await openDatabase({ dataDir: createDataDir() });
  await migrate(database, contextMigrations);
  const onFailure = (error: unknown) => expect.fail(String(error));
  const outside = { clock: systemClock, random: systemRandom, onFailure };
  const listeners = admitListeners();
  const sessions = await openSessions({ createServer, database, listeners, ...outside });
  const ending = new AbortController();
  onTestFinished(async () => {
    ending.abort();
    await sessions.close();
    await database.close();
  });
  const caller = {
    ...{ subject: 'ann', clientId: 'agent', isPerson: true, scope: [] },
    expiresAt: systemClock.now() + 60_000,
  };
  return (method: 'GET' | 'POST', body?: object, session?: string) => {
    const headers = {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'Mcp-Protocol-Version': revision,
      ...(session === undefined ? {} : { 'Mcp-Session-Id': session }),
    };
    const request = new Request('http://localhost:8787/mcp', { method, headers });
    return sessions.serve(request, { caller, body, signal: ending.signal });
  };
}

it('sends the requests of a tool call to its client over the stream that was open before the call', async () => {
  const send = await openSending();
  const params = {
    protocolVersion: revision,
    capabilities: { sampling: {} },
    clientInfo: { name: 'agent', version: '1' },
  };
  const begun = await send('POST', { jsonrpc: '2.0', id: 1, method: 'initialize', params });
  await begun.text();
  const session = begun.headers.get('mcp-session-id') ?? '';
  await send('POST', { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const streaming = send('GET', undefined, session);
  void send(
    'POST',
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'ask' } },
    session,
  );
  const reader = (await streaming).body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('sampling/createMessage');
});
