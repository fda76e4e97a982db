import { Hono } from 'hono';
import { EdgeError } from '../../kernel/http/messages/edge-error.ts';
import { storeRetryAfter } from '../../kernel/http/messages/explain-store-failure.ts';
import type { EdgeEnv } from '../../kernel/http/mount/edge-env.ts';
import type { Mount } from '../../kernel/http/mount/mount.ts';
import type { Health } from '../../kernel/lifecycle/health.ts';
import { mostApart } from '../../kernel/lifecycle/open-heartbeat.ts';
import type { Metrics } from '../../kernel/metrics/metrics.ts';
import { isLoopbackHost } from '../../kernel/network/is-loopback-host.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { SteadyClock } from '../../kernel/time/steady-clock.ts';
import { createStoreProbe } from './create-store-probe.ts';
import { serverService } from './server-service.ts';
import { type SystemAnswer, systemOperation } from './system-operation.ts';

export type OperatorMountOptions = {
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
    const { contentType, body } = await metrics.expose();
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
