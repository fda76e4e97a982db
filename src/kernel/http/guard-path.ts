import type { MiddlewareHandler } from 'hono';
import { allowOrigins } from './allow-origins.ts';
import { checkOrigin } from './check-origin.ts';
import type { EdgeEnv } from './edge-env.ts';
import { limitBody } from './limit-body.ts';

/** How one path is guarded. */
export type PathPolicy = {
  /** The largest body in bytes; 64 KiB unless said otherwise. */
  bodyLimit?: number;
  /**
   * Whose pages may call it: `own` (the default) our own and those allowed by name; `own-or-null` also
   * forms, which browsers send with `Origin: null`; `any` everyone's, for paths that trust no cookie.
   */
  origins?: 'own' | 'own-or-null' | 'any';
  /** It answers under any name and without TLS, for probes that know an address only. */
  isProbe?: boolean;
  /** Its access log is written at the level `debug`, for what machines ask every second. */
  isQuiet?: boolean;
};

/** More than any request of an API whose bodies are forms, quotes and subscriptions. */
const defaultBodyLimit = 64 * 1024;

/** The guards of a path, in order: whose pages may call it, then how much they may send. */
export function guardPath(options: {
  policy: PathPolicy;
  publicUrl: URL;
  allowedOrigins: readonly string[];
}): MiddlewareHandler<EdgeEnv> {
  const { policy, publicUrl, allowedOrigins } = options;
  const { bodyLimit = defaultBodyLimit, origins = 'own' } = policy;
  const limited = limitBody(bodyLimit);
  if (origins === 'any') return allowOrigins('*', limited);
  const acceptNull = origins === 'own-or-null';
  const check = checkOrigin({ publicUrl, allowedOrigins, acceptNull });
  const allowed = allowedOrigins.length === 0 ? limited : allowOrigins(allowedOrigins, limited);
  return (c, next) => {
    check(c);
    return allowed(c, next);
  };
}
