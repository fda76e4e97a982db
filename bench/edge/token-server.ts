import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { observeRequests } from '../../src/app/compose.ts';
import { writeAuthorizationRefusal } from '../../src/authorization/http/answers.ts';
import { tokenPaths } from '../../src/authorization/requests/token-endpoints.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { createLogger } from '../../src/kernel/telemetry/logger.ts';
import { createMetrics } from '../../src/kernel/telemetry/metrics.ts';
import { systemClock as clock } from '../../src/kernel/wait/clock.ts';
import { openTokenWorld } from '../../tests/support/open-token-world.ts';
import { openFastify } from './contestants/fastify.ts';
import { openPipeline } from './contestants/pipeline.ts';
import { openToday } from './contestants/today.ts';
import type { Route } from './work.ts';

// The endpoints of tokens in one server of the comparison, in its own process.
const contestants: Record<string, () => Promise<number>> = {
  'edge, direct': async () => openToday(true, await openTokens()),
  edge: async () => openToday(false, await openTokens()),
  pipeline: async () => openPipeline('operations', await openTokens()),
  fastify: async () => openFastify({ ours: 'nothing', ...(await openTokens()) }),
  'fastify, our writer': async () => openFastify({ ours: 'writing', ...(await openTokens()) }),
  'fastify, our reader and writer': async () =>
    openFastify({ ours: 'reading and writing', ...(await openTokens()) }),
};

process.on('disconnect', () => process.exit());
const open = contestants[process.argv[2] ?? ''];
if (open === undefined) {
  process.send?.({ names: Object.keys(contestants) });
  process.disconnect();
} else {
  const port = await open();
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
  process.send?.({ port });
}

async function openTokens() {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradewind-bench-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true }));
  const database = await openDatabase({ dataDir });
  const { tokens } = await openTokenWorld({ database, clock });
  const { endpoints } = tokens;
  const routes = endpoints.map(
    ({ method, path, answer }): Route => ({
      id: path,
      method,
      path: path as Route['path'],
      answer({ body }, context) {
        if (context === undefined) throw new Error('no context');
        const { request, caller, isForeignPage } = context;
        return answer({ request, caller, isForeignPage, body });
      },
    }),
  );
  return {
    mount: { endpoints, paths: tokenPaths, writeRefusal: writeAuthorizationRefusal },
    routes,
    logger: createLogger({ level: 'info', format: 'json', write: () => {} }),
    observeRequest: observeRequests(createMetrics()),
  };
}
