import { Hono } from 'hono';
import { orLate } from '../kernel/cancel/or-late.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import { sql } from '../kernel/database/sql.ts';
import type { EdgeEnv } from '../kernel/http/edge-env.ts';
import { EdgeError } from '../kernel/http/edge-error.ts';
import type { Mount } from '../kernel/http/mount.ts';
import type { Health } from '../kernel/lifecycle/health.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { serverService } from './server-service.ts';

export type OperatorMountOptions = {
  readonly health: Health;
  readonly database: Pick<Database, 'first'>;
  /** The NATS server, where one is used. */
  readonly nats?: { isUp(): boolean } | undefined;
  readonly metrics: Metrics;
  readonly clock: Clock;
};

// Shorter than the time after which common probes give up.
const databasePatience = 2_000;

/** What the process tells of itself: `/health` for whoever routes traffic to it, `/metrics` for Prometheus. */
export function operatorMount(options: OperatorMountOptions): Mount {
  const { health, database, nats, metrics, clock } = options;
  const app = new Hono<EdgeEnv>();
  app.get('/health', async (c) => {
    const hindrances = { ...health.hindrances(), ...(await databaseHindrance()) };
    if (Object.keys(hindrances).length > 0) {
      throw new EdgeError(
        'NOT_READY',
        'This process cannot serve now; details say what stands in the way.',
        {
          details: hindrances,
        },
      );
    }
    const timestamp = new Date(clock.now()).toISOString();
    // No reason to send requests elsewhere: events wait in the database meanwhile.
    const waiting = nats?.isUp() === false ? { nats: 'does not answer, events wait' } : {};
    return c.json({ success: true, data: { status: 'ok', ...waiting }, timestamp });
  });
  app.get('/metrics', async (c) => {
    const { contentType, body } = await metrics.expose();
    return c.body(body, 200, { 'content-type': contentType });
  });

  async function databaseHindrance(): Promise<Record<string, string>> {
    const answer = database.first(sql`SELECT 1 AS one`).then(
      () => ({}),
      () => ({ database: 'does not answer' }),
    );
    return orLate(answer, {
      clock,
      milliseconds: databasePatience,
      late: () => ({ database: 'does not answer in time' }),
    });
  }

  return {
    app,
    paths: { '/health': { origins: 'any', isProbe: true }, '/metrics': {} },
    service: serverService,
  };
}
