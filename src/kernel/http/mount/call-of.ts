import type { Context } from 'hono';
import type { EdgeEnv } from './edge-env.ts';
import type { EndpointCall } from './endpoint.ts';

/** A request on its way through Hono as an endpoint takes it. Reads the body. */
export async function callOf(c: Context<EdgeEnv>): Promise<EndpointCall> {
  const { request, caller, isForeignPage } = c.get('context');
  return { request, caller, isForeignPage, body: await c.req.text() };
}
