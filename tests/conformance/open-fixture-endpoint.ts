import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequestStateCodec, McpServer } from '@modelcontextprotocol/server';
import { createContextMount } from '../../src/context/http/create-context-mount.ts';
import { contextLimits } from '../../src/context/limits.ts';
import { openProtocol } from '../../src/context/open-protocol.ts';
import { contextMigrations } from '../../src/context/store/context-migrations.ts';
import { rateLimitMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { createEdge } from '../../src/kernel/edge/create-edge.ts';
import { openListener } from '../../src/kernel/edge/listener/open-listener.ts';
import { createRateLimiter } from '../../src/kernel/edge/rate-limiter.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { registerContents } from './fixture-contents.ts';
import { registerExchanges } from './fixture-exchanges.ts';
import { registerInputs } from './fixture-inputs.ts';

/**
 * Our endpoint with its edge and sessions, and with the tools, resources and prompts that the suite expects.
 * It needs no token. Returns its address.
 */
export async function openFixtureEndpoint() {
  const key = systemRandom.bytes(32);
  const states = createRequestStateCodec<string>({ key });
  const createServer = () => {
    const server = new McpServer(
      { name: 'tradewind-fixture', version: '1' },
      {
        capabilities: {
          logging: {},
          completions: {},
          resources: { subscribe: true },
        },
        requestState: { verify: states.verify },
      },
    );
    registerContents(server);
    registerExchanges(server);
    registerInputs(server, states);
    return server;
  };
  const dataDir = await mkdtemp(join(tmpdir(), 'tradewind-conformance-'));
  const database = await openDatabase({ dataDir });
  await migrate(database, [...rateLimitMigrations, ...contextMigrations]);
  const protocol = await openProtocol({
    createServer,
    database,
    onFailure: console.error,
    onRefusal: () => {},
    clock: systemClock,
    random: systemRandom,
  });
  const ending = new AbortController();
  const mount = createContextMount({
    protect: async () => ({
      subject: 'anyone',
      clientId: 'suite',
      isPerson: false,
      scope: [],
      expiresAt: systemClock.now() + 3_600_000,
    }),
    scopeOfTool: new Map(),
    suggestedScope: [],
    limiter: createRateLimiter({
      ...{ database, clock: systemClock },
      ...{ name: 'context-messages', perMinute: contextLimits.messages.value },
    }),
    serve: protocol.serve,
    signal: ending.signal,
    clock: systemClock,
  });
  const edge = Promise.withResolvers<ReturnType<typeof createEdge>>();
  const listener = await openListener({
    fetch: async (request, env) => (await edge.promise).fetch(request, env),
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    clock: systemClock,
  });
  edge.resolve(
    createEdge({
      publicUrl: new URL(`http://localhost:${listener.port}`),
      trustedProxies: [],
      mounts: [mount],
      logger: { debug: () => {}, info: () => {}, error: console.error },
      clock: systemClock,
      random: systemRandom,
    }),
  );
  return {
    url: `http://localhost:${listener.port}/mcp`,
    async close() {
      ending.abort();
      await protocol.close();
      await listener.close(0);
      await database.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
