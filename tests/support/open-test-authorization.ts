import { onTestFinished } from 'vitest';
import { authorizationSettings } from '../../src/authorization/config.ts';
import {
  type Authorization,
  createAuthorization,
} from '../../src/authorization/create-authorization.ts';
import { authorizationMigrations } from '../../src/authorization/server/store/authorization-migrations.ts';
import { readSettings } from '../../src/kernel/config/read-settings.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { createEdge } from '../../src/kernel/http/create-edge.ts';
import type { Connection } from '../../src/kernel/http/edge-env.ts';
import { kernelMigrations } from '../../src/kernel/kernel-migrations.ts';
import { createLogger } from '../../src/kernel/logger.ts';
import { createMetrics } from '../../src/kernel/metrics.ts';
import { parseNetworks } from '../../src/kernel/network/network.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createDataDir } from './create-data-dir.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';

export const issuer = 'http://localhost:8787';

export type TestAuthorization = {
  readonly authorization: Authorization;
  readonly database: Database;
  readonly clock: FakeClock;
  readonly dataDir: string;
  /** Calls the service on the edge, inside the process. */
  request(path: string, init?: RequestInit, connection?: Connection): Promise<Response>;
  /** Everything that was logged. */
  readonly log: string[];
};

/** The authorization service on an edge, over an embedded database of its own unless one is given. */
export async function openTestAuthorization(
  options: {
    database?: Database;
    environment?: Record<string, string>;
    isLoopback?: boolean;
    clock?: FakeClock;
    trustedProxies?: readonly string[];
  } = {},
): Promise<TestAuthorization> {
  const { environment = {}, isLoopback = true, clock = createFakeClock() } = options;
  const dataDir = createDataDir();
  const database = options.database ?? (await openDatabase({ dataDir }));
  if (options.database === undefined) onTestFinished(() => database.close());
  await migrate(database, [...kernelMigrations, ...authorizationMigrations]);
  const log: string[] = [];
  const logger = createLogger({
    level: 'debug',
    format: 'json',
    write: (line) => void log.push(line),
  });
  const publicUrl = new URL(issuer);
  const authorization = await createAuthorization({
    settings: readSettings(authorizationSettings, { environment, flags: {} }).values,
    publicUrl,
    isLoopback,
    dataDir,
    database,
    masterKey: new Uint8Array(32).fill(7),
    clock,
    random: systemRandom,
    logger,
    metrics: createMetrics(),
    resources: [{ path: '/mcp', name: 'Tradewind tools', scope: ['swap.read'] }],
  });
  onTestFinished(() => authorization.close());
  const edge = createEdge({
    publicUrl,
    trustedProxies: parseNetworks(options.trustedProxies ?? []),
    mounts: [authorization.mount],
    logger,
    clock,
    random: systemRandom,
  });
  return {
    authorization,
    database,
    clock,
    dataDir,
    log,
    request: async (path, init, connection) =>
      edge.request(`${issuer}${path}`, init, connection === undefined ? {} : { connection }),
  };
}
