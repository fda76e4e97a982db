import type { Context } from 'hono';
import type { EdgeEnv } from './edge-env.ts';
import type { EndpointCall } from './endpoint.ts';

/** Converts a request of Hono to the call of an endpoint. Reads the body. */
export async function callOf(c: Context<EdgeEnv>): Promise<EndpointCall> {
  const { request, caller, isForeignPage } = c.get('context');
  return { request, caller, isForeignPage, body: await c.req.text() };
}
