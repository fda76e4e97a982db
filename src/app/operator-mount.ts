import { Hono } from 'hono';
import { z } from 'zod';
import { isDiskFull } from '../kernel/database/database.ts';
import { EdgeError, storeRetryAfter } from '../kernel/edge/edge-error.ts';
import type { EdgeEnv, Mount } from '../kernel/edge/mount.ts';
import type { Operation, Service } from '../kernel/edge/operation.ts';
import { isLoopbackHost } from '../kernel/model/network.ts';
import type { Health } from '../kernel/process/supervisor.ts';
import type { Metrics } from '../kernel/telemetry/metrics.ts';
import type { Clock, SteadyClock } from '../kernel/wait/clock.ts';
import { orLate } from '../kernel/wait/deadline.ts';
import { onBehalfOfAll } from '../kernel/wait/presence.ts';
import { shareNext } from '../kernel/wait/shared-work.ts';
import { errorEnvelope, successEnvelope } from '../swap/wire.ts';
import { type SystemAnswer, systemOperation } from './describe-system.ts';
import { mostApart } from './heartbeat.ts';

type OperatorMountOptions = {
  readonly health: Health;
  /** Writes to the store; rejects where that is not possible. */
  readonly beat: () => Promise<void>;
  /** The NATS server, where one is used. */
  readonly nats?: { isUp(): boolean } | undefined;
  readonly metrics: Metrics;
  /** Returns the admin whose token it is, or the `Response` that refuses the request; absent if no tokens are checked. */
  readonly protectAsAdmin?: ((request: Request) => Promise<unknown>) | undefined;
  /** What `/v1/system` answers; absent where nobody may ask. */
  readonly describeSystem?: () => Promise<SystemAnswer>;
  readonly clock: Clock & Partial<Pick<SteadyClock, 'ahead'>>;
  /** See {@link Heartbeat}. */
  readonly aheadOfStore?: () => number;
};

/** What the process reports about itself: `/health` for load balancers, `/metrics` for Prometheus. */
export function operatorMount(options: OperatorMountOptions): Mount {
  const { health, nats, metrics, clock } = options;
  // Whoever asks while it is written shares the next: a burst costs as much as two, and nobody is told what was before (F76).
  const write = shareNext(metrics.expose);
  const storeHindrance = createStoreProbe(options);
  const findHindrances = async () => ({
    ...health.hindrances(),
    ...(await storeHindrance()),
    ...clockHindrance(),
  });
  metrics.gauge({
    name: 'ready',
    help: 'Whether the process can serve now, as /health says: 1 or 0.',
    collect: async (gauge) => gauge.set(Object.keys(await findHindrances()).length === 0 ? 1 : 0),
  });
  const app = new Hono<EdgeEnv>();
  app.get('/health', async (c) => {
    const hindrances = await findHindrances();
    if (Object.keys(hindrances).length > 0) {
      throw new EdgeError('NOT_READY', 'This process cannot serve now; details name the cause.', {
        details: hindrances,
        headers: { 'Retry-After': String(storeRetryAfter) },
      });
    }
    const timestamp = new Date(clock.now()).toISOString();
    // No reason for a load balancer to send requests elsewhere: events wait in the database meanwhile.
    const waiting = nats?.isUp() === false ? { nats: 'does not answer, events wait' } : {};
    return c.json({ success: true, data: { status: 'ok', ...waiting }, timestamp });
  });
  app.get('/metrics', async (c) => {
    const { caller, peer, request } = c.get('context');
    const isForwarded = ['forwarded', 'x-forwarded-for'].some((name) => request.header(name));
    // Only programs on this machine need no token. Whoever comes through a proxy does, whatever the proxy says of its caller
    // (F31): it may let anyone through.
    if (!isLoopbackHost(caller.address) || isForwarded || peer?.isProxy) {
      const answer = (await options.protectAsAdmin?.(c.req.raw)) ?? c.body(null, 403);
      if (answer instanceof Response) return answer;
    }
    const { contentType, body } = await write();
    return c.body(body, 200, { 'content-type': contentType });
  });

  app.get(systemOperation.path, async (c) => {
    const { protectAsAdmin, describeSystem } = options;
    if (protectAsAdmin === undefined || describeSystem === undefined) return c.notFound();
    const answer = await protectAsAdmin(c.req.raw);
    if (answer instanceof Response) return answer;
    const data = await describeSystem();
    return c.json({ success: true, data, timestamp: new Date(clock.now()).toISOString() });
  });

  function clockHindrance(): Record<string, string> {
    const behindTimes = clock.ahead?.() ?? 0;
    const aheadOfStore = options.aheadOfStore?.() ?? 0;
    const minutesOf = (time: number) => Math.round(time / 60_000);
    if (aheadOfStore > mostApart) {
      const minutes = minutesOf(aheadOfStore);
      return {
        clock: `is ${minutes} minutes ahead of that of the database: set it, and keep it set with NTP`,
      };
    }
    if (behindTimes <= mostApart) return {};
    const minutes = minutesOf(behindTimes);
    return { clock: `was set back and is ${minutes} minutes behind the times in the store` };
  }

  return {
    app,
    paths: {
      '/health': { origins: 'any', isProbe: true },
      '/metrics': {},
      '/v1/system': { origins: 'any' },
    },
    service: serverService,
  };
}

type StoreProbeOptions = {
  /** Writes to the store; rejects where that is not possible. */
  readonly beat: () => Promise<void>;
  readonly clock: Clock;
};

/** Why the store cannot be written, by part; empty when a write has just succeeded. */
type StoreProbe = () => Promise<Readonly<Record<string, string>>>;

// Shorter than the time after which common probes give up.
const patience = 2_000;
/** Milliseconds for which an answer holds, so that frequent probes do not cost a write each. */
const validity = 1_000;

/** Probes the store with a real write (N10). All probes within one second share one write. */
function createStoreProbe({ beat, clock }: StoreProbeOptions): StoreProbe {
  let latest: { readonly at: number; readonly found: ReturnType<StoreProbe> } | undefined;

  const probe: StoreProbe = () => {
    const written = onBehalfOfAll(beat).then(
      () => ({}),
      (error: unknown) => ({
        database: isDiskFull(error) ? 'cannot be written, its disk is full' : 'cannot be written',
      }),
    );
    return orLate(written, {
      clock,
      milliseconds: patience,
      late: () => ({ database: 'does not answer in time' }),
    });
  };

  return () => {
    const now = clock.elapsed();
    if (latest === undefined || now - latest.at > validity) latest = { at: now, found: probe() };
    return latest.found;
  };
}

const health = successEnvelope(
  z.object({
    status: z.literal('ok'),
    nats: z.string().optional().describe('What the NATS server lacks, where it is used.'),
  }),
).meta({ id: 'HealthEnvelope' });

const get = (
  given: Pick<Operation, 'id' | 'path' | 'summary' | 'description' | 'answer'> & Partial<Operation>,
): Operation => ({ method: 'GET', parameters: z.object({}), scopes: [], errors: {}, ...given });

/** What the process reports about itself, whichever services it runs. */
export const serverService: Service = {
  name: 'Server',
  description: 'Information about the server itself.',
  error: errorEnvelope,
  operations: [
    systemOperation,
    get({
      id: 'getHealth',
      path: '/health',
      summary: 'Health',
      description: 'Whether the server can answer now.',
      answer: { schema: health },
      errors: { 503: 'NOT_READY: details names the cause.' },
    }),
    get({
      id: 'getMetrics',
      path: '/metrics',
      summary: 'Metrics',
      description: 'Measures of the process for Prometheus.',
      answer: { type: 'text/plain' },
      errors: { 401: 'Off loopback it needs a token.', 403: 'The token must be an admin’s.' },
    }),
    get({
      id: 'getOpenApi',
      path: '/openapi.json',
      summary: 'OpenAPI document',
      description: 'This description.',
      answer: { schema: z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' }) },
    }),
    get({
      id: 'getLlmsText',
      path: '/llms.txt',
      summary: 'What language models should know',
      description: 'What runs here and every operation, as Markdown for language models.',
      answer: { type: 'text/plain' },
    }),
  ],
};
