import type { MiddlewareHandler } from 'hono';
import type { Network } from '../network/network.ts';
import { callerOf } from './caller-of.ts';
import type { EdgeEnv } from './edge-env.ts';

/** Puts the {@link callerOf} a request into its context, for rate limits and the log. */
export function identifyCaller(trustedProxies: readonly Network[]): MiddlewareHandler<EdgeEnv> {
  return async (c, next) => {
    const { connection } = c.env ?? {};
    c.set('caller', callerOf({ connection, headers: c.req.raw.headers, trustedProxies }));
    await next();
  };
}
