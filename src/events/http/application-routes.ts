import { Hono } from 'hono';
import type { EdgeEnv } from '../../kernel/http/edge-env.ts';
import type { Applications } from '../applications/create-applications.ts';
import { EventsError } from '../events-error.ts';

export type ApplicationRoutesOptions = {
  readonly applications: Applications;
  /** Throws unless the request's token has one of the scopes (E7.4, E7.5). */
  authorize(request: Request, scopes: readonly string[]): Promise<unknown>;
};

/** `/v1/applications` (E14.15, E14.16). Errors are thrown for the handler of the service. */
export function applicationRoutes({
  applications,
  authorize,
}: ApplicationRoutesOptions): Hono<EdgeEnv> {
  const app = new Hono<EdgeEnv>();
  app.get('/v1/applications', async (c) => {
    await authorize(c.req.raw, ['subscriptions.read', 'subscriptions.write', 'admin']);
    return c.json({ applications: await applications.list() });
  });
  app.post('/v1/applications', async (c) => {
    await authorize(c.req.raw, ['admin']);
    return c.json(await applications.add(await readJson(c.req.raw)));
  });
  app.delete('/v1/applications/:name', async (c) => {
    await authorize(c.req.raw, ['admin']);
    await applications.remove(c.req.param('name'));
    return c.json({});
  });
  return app;
}

async function readJson(request: Request): Promise<unknown> {
  const text = await request.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EventsError('INVALID_ARGUMENT', 'The body is not JSON: send one JSON object.', {
      reason: 'INVALID_JSON',
      cause,
    });
  }
}
