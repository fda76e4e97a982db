import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/server';
import { expect, it, onTestFinished } from 'vitest';
import {
  endpoint,
  initialize,
  message,
  openContextEdge,
  openStore,
  tokenOf,
} from '../../../tests/support/context-endpoint.ts';
import { countQueries } from '../../../tests/support/count-queries.ts';
import { createDataDir } from '../../../tests/support/create-data-dir.ts';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { migrate } from '../../kernel/database/migrate.ts';
import { openDatabase } from '../../kernel/database/open-database.ts';
import { systemRandom } from '../../kernel/model/random.ts';
import { systemClock } from '../../kernel/wait/clock.ts';
import { createConnection } from '../connection.ts';
import { admitListeners } from '../http/admit-listeners.ts';
import { contextLimits } from '../limits.ts';
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
    return sessions.serve(request, {
      ...{ caller, body, signal: ending.signal },
      connection: createConnection(systemClock),
    });
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

const { listenersOfCaller } = contextLimits;

/** An event of a stream that another process seems to have begun. */
const elsewhere = (streamId: string = randomUUID()) => `1.AAAAAAAAAAAA@${streamId}`;

async function openResuming() {
  const clock = createFakeClock();
  const { database, count } = countQueries(await openStore());
  const context = await openContextEdge({ clock, database });
  onTestFinished(() => context.close());
  return {
    clock,
    count,
    async begin(who: string) {
      const bearer = { Authorization: `Bearer ${tokenOf(who, 'swap.read')}` };
      const begun = await context.fetch(endpoint, message(initialize(), bearer));
      const session = { ...bearer, 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' };
      return (lastEventId: string) => {
        const { headers } = message('', session);
        const resuming = { ...(headers as Record<string, string>), 'Last-Event-ID': lastEventId };
        return context.fetch(endpoint, { headers: resuming });
      };
    },
  };
}

it('resumes a limited number of streams of one caller at a time, and others have room [N5]', async () => {
  const { clock, begin } = await openResuming();
  const resume = await begin('ann');
  const ids = Array.from({ length: listenersOfCaller.value + 8 }, () => elsewhere());
  const answers = await Promise.all(ids.map(resume));
  const open = answers.filter(({ status }) => status === 200);
  expect(open).toHaveLength(listenersOfCaller.value);
  const refused = answers.find(({ status }) => status === 429);
  expect(await refused?.text()).toContain('You have 32 open streams');
  expect((await (await begin('bob'))(elsewhere())).status).toBe(200);
  clock.advance(5_000);
  expect(await Promise.all(open.map((one) => one.text()))).toEqual(open.map(() => ''));
  expect((await resume(elsewhere())).status).toBe(200);
});

it('frees the place of a caller who disconnects [N5]', async () => {
  const { begin } = await openResuming();
  const resume = await begin('ann');
  for (let times = 0; times < listenersOfCaller.value * 2; times += 1) {
    const resumed = await resume(elsewhere());
    expect(resumed.status).toBe(200);
    await resumed.body?.cancel();
  }
});

it('sends no query to the store for a stream that no process claims to have begun [N5]', async () => {
  const { clock, count, begin } = await openResuming();
  const resume = await begin('ann');
  const resumed = await resume(elsewhere());
  const reading = resumed.text();
  await clock.whenAsleep(2);
  const { queries } = count;
  for (let seconds = 0; seconds < 4; seconds += 1) {
    clock.advance(1_000);
    await clock.turn();
  }
  expect(count.queries).toBe(queries);
  clock.advance(1_000);
  expect(await reading).toBe('');
});

it('resumes a stream once: the newer request takes its place [N5]', async () => {
  const { begin } = await openResuming();
  const resume = await begin('ann');
  const id = elsewhere();
  const answers: Response[] = [];
  for (let times = 0; times <= listenersOfCaller.value; times += 1) answers.push(await resume(id));
  const last = answers.pop();
  expect(await Promise.all(answers.map((one) => one.text()))).toEqual(answers.map(() => ''));
  expect(last?.status).toBe(200);
});

it.each(['1.foo@bar1', `1.AAAAAAAAAAAA@bar1`, `1.foo@${randomUUID()}`])(
  'refuses an event id that no process has made: %s',
  async (id) => {
    const { begin } = await openResuming();
    expect((await (await begin('ann'))(id)).status).toBe(400);
  },
);
