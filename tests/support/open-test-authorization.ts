import { onTestFinished } from 'vitest';
import { builtInClients } from '../../src/app/built-in-clients.ts';
import { scopeDeclarations } from '../../src/app/describe-strangers.ts';
import { authorizationSettings } from '../../src/authorization/config.ts';
import {
  type Authorization,
  createAuthorization,
} from '../../src/authorization/create-authorization.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { createEdge } from '../../src/kernel/edge/create-edge.ts';
import type { Connection } from '../../src/kernel/edge/request.ts';
import { parseNetworks } from '../../src/kernel/model/network.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { type DataDirectory, enterDataDirectory } from '../../src/kernel/process/data-directory.ts';
import { readSettings } from '../../src/kernel/process/settings.ts';
import { createLogger } from '../../src/kernel/telemetry/logger.ts';
import { createMetrics } from '../../src/kernel/telemetry/metrics.ts';
import { createDataDir } from './create-data-dir.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { productMigrations } from './product-migrations.ts';
import { visit } from './stand-in-browser.ts';

export const issuer = 'http://localhost:8787';

export type TestAuthorization = {
  readonly authorization: Authorization;
  readonly database: Database;
  readonly clock: FakeClock;
  readonly dataDir: DataDirectory;
  /** Calls the service on the edge, inside the process. */
  request(path: string, init?: RequestInit, connection?: Connection): Promise<Response>;
  /** Posts a form. */
  post(path: string, form: Form, headers?: Record<string, string>): Promise<Answer>;
  /** Registers a client, by default a public one, and returns the body of the answer. */
  register(metadata?: object): Promise<Record<string, string>>;
  /** The owner signs in at a page of the service and decides. Returns where the browser is sent then. */
  decide(path: string, decision?: 'allow' | 'deny'): Promise<URL>;
  /** Everything that was logged. */
  readonly log: string[];
};

export const ownerPassword = 'correct-horse-battery';
/** The setting by which the owner can sign in and `decide`. Setting the password takes a while. */
export const withOwner = { TRADEWIND_OWNER_PASSWORD: ownerPassword };

type Form = Readonly<Record<string, string | undefined>>;
type Answer = { status: number; headers: Headers; body: Record<string, unknown> };

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
  const dataDir = enterDataDirectory(createDataDir());
  const database = options.database ?? (await openDatabase({ dataDir }));
  if (options.database === undefined) onTestFinished(() => database.close());
  await migrate(database, productMigrations);
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
    scopeDeclarations,
    builtInClients: builtInClients(publicUrl),
    resources: [{ path: '/mcp', name: 'Tradewind tools', scope: ['swap.read'] }],
  });
  onTestFinished(() => authorization.close());
  const edge = createEdge({
    publicUrl,
    trustedProxies: parseNetworks(options.trustedProxies ?? []),
    mounts: [authorization.mount, authorization.management],
    logger,
    clock,
    random: systemRandom,
  });
  const request: TestAuthorization['request'] = async (path, init, connection) =>
    edge.request(`${issuer}${path}`, init, connection === undefined ? {} : { connection });
  return {
    authorization,
    database,
    clock,
    dataDir,
    log,
    request,
    async post(path, form, headers = {}) {
      const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const body = formText(form);
      return read(await request(path, { method: 'POST', headers: { ...type, ...headers }, body }));
    },
    async register(metadata = {}) {
      const redirect_uris = ['http://localhost:3000/callback'];
      const all = { redirect_uris, token_endpoint_auth_method: 'none', ...metadata };
      const body = JSON.stringify(all);
      const answer = await read(await request('/register', { method: 'POST', body }));
      return answer.body as Record<string, string>; // each member that tests read is text
    },
    async decide(path, decision = 'allow') {
      const visitor = { password: ownerPassword, decision };
      return new URL(await visit(issuer + path, visitor, async (sent) => edge.fetch(sent, {})));
    },
  };
}

/** Form-encodes the parameters that are defined. */
export function formText(form: Form): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) if (value !== undefined) query.set(name, value);
  return query.toString();
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = text.startsWith('{') ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, body };
}
