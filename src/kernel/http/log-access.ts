import type { Context } from 'hono';
import { routePath } from 'hono/route';
import type { Clock } from '../clock.ts';
import type { EdgeEnv } from './edge-env.ts';

/** The part of a pino logger the edge writes to. */
export type EdgeLogger = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** One answered request, as a metric sees it: the route's pattern, never the path, bounds the number of series. */
export type RequestObservation = {
  method: string;
  route: string;
  status: number;
  durationMs: number;
};

/**
 * Writes one line for an answered request and reports it to the metrics. The line carries neither
 * headers nor the query string, where secrets travel. For a streamed answer the duration is the time
 * to its beginning.
 */
export function logAccess(options: {
  logger: EdgeLogger;
  clock: Clock;
  /** Whether requests for this path are worth a line only to someone who debugs. */
  isQuiet: (path: string) => boolean;
  observeRequest?: (observation: RequestObservation) => void;
}): (c: Context<EdgeEnv>, start: number) => void {
  const { logger, clock, isQuiet, observeRequest } = options;
  return (c, start) => {
    const { method, path } = c.req;
    const { status } = c.res;
    const requestId = c.get('requestId');
    const caller = c.get('caller').address;
    const durationMs = clock.now() - start;
    const level = isQuiet(path) ? 'debug' : 'info';
    logger[level]({ method, path, status, durationMs, requestId, caller }, 'request');
    // By now the current route is the one that answered, or the last middleware for a refusal.
    observeRequest?.({ method, route: routePath(c), status, durationMs });
  };
}
