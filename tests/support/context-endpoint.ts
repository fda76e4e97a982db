import { onTestFinished } from 'vitest';
import type { ContextCaller, Protect } from '../../src/context/caller.ts';
import { type ContextOptions, createContext } from '../../src/context/create-context.ts';
import { contextMigrations } from '../../src/context/store/context-migrations.ts';
import type { ContextUseCases } from '../../src/context/use-cases.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { rateLimitMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { createEdge } from '../../src/kernel/edge/create-edge.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import type { Logger } from '../../src/kernel/telemetry/logger.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { createSwapAnswers } from '../../src/swap/http/create-swap-answers.ts';
import { chainsOperation, quoteOperation, tokensOperation } from '../../src/swap/wire.ts';
import { createDataDir } from './create-data-dir.ts';
import { swapMountOptions } from './swap-interface.ts';

export const endpoint = 'http://localhost:8787/mcp';

const answers = createSwapAnswers(swapMountOptions);

/** The swap use cases over the interface of the swap tests. */
export const swapUseCases: ContextUseCases['swap'] = {
  quote: {
    output: quoteOperation.data,
    ask: (given, { signal, caller: { subject: key } }) =>
      answers.quote(given, { signal, caller: { key, hasToken: true } }),
  },
  chains: { output: chainsOperation.data, ask: () => answers.chains() },
  tokens: { output: tokensOperation.data, ask: answers.tokens },
};

/** A token that the stand-in guard accepts: the subject, followed by scopes. */
export const tokenOf = (subject: string, ...scope: string[]) => [subject, ...scope].join('/');

/** Stands in for the guard: a token is its own subject and scopes. It refuses `expired` and the empty token. */
export const protect: Protect = async (request, { scope, suggestedScope }) => {
  const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
  const [subject = '', ...granted] = token.split('/');
  if (subject === '' || subject === 'expired') {
    const challenge = `Bearer scope="${suggestedScope.join(' ')}"`;
    return new Response(null, { status: 401, headers: { 'WWW-Authenticate': challenge } });
  }
  const missing = scope.filter((one) => !granted.includes(one));
  if (missing.length > 0) {
    const challenge = `Bearer error="insufficient_scope", scope="${scope.join(' ')}"`;
    return new Response(null, { status: 403, headers: { 'WWW-Authenticate': challenge } });
  }
  return callerNamed(subject, granted);
};

function callerNamed(subject: string, scope: readonly string[]): ContextCaller {
  return { subject, clientId: 'test', isPerson: true, scope, expiresAt: Date.now() + 600_000 };
}

/** The endpoint on an edge, for calls inside the process. `errors` collects what was logged as an error. */
export async function openContextEdge(options: Partial<ContextOptions> = {}) {
  const errors: unknown[] = [];
  const logger: Logger = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (facts) => void errors.push(facts),
    child: () => logger,
  };
  const context = createContext({
    database: options.database ?? (await openStore()),
    useCases: { swap: swapUseCases },
    protect,
    version: '1.2.3',
    clock: systemClock,
    random: systemRandom,
    logger,
    ...options,
  });
  const edge = createEdge({
    publicUrl: new URL('http://localhost:8787'),
    trustedProxies: [],
    mounts: [context.mount],
    logger,
    clock: systemClock,
    random: systemRandom,
  });
  const fetch = async (url: string | URL, init?: RequestInit) => edge.fetch(new Request(url, init));
  return { fetch, errors, close: () => context.close() };
}

/** A database of its own for the test. */
export async function openStore(): Promise<Database> {
  const database = await openDatabase({ dataDir: createDataDir() });
  onTestFinished(() => database.close());
  await migrate(database, [...rateLimitMigrations, ...contextMigrations]);
  return database;
}

/** A request with a message, a token and the headers of a client. */
export function message(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      Authorization: `Bearer ${tokenOf('ann', 'swap.read')}`,
      ...headers,
    },
    body: JSON.stringify(body),
  };
}

/** The first message of a client of a protocol revision. */
export function initialize(protocolVersion = '2025-03-26') {
  return {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
}
