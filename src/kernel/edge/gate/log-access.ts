import type { Clock } from '../../wait/clock.ts';
import type { RequestContext } from '../mount.ts';
import type { OwnedPath } from '../paths.ts';

/** The part of a logger the edge writes to. */
export type EdgeLogger = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** One answered request, as a metric sees it: by one of few methods and the pattern of a route, which bound the number of series. */
export type RequestObservation = {
  method: string;
  route: string;
  status: number;
  durationMs: number;
};

/** The methods of operations, and those that browsers add to them. */
const usualMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Where all requests count that no operation has seen. */
const nowhere = '/*';

/** A method that nothing at the path answers, and a body that is too large for whatever is there: refused before an operation is chosen. */
const beforeOperations = new Set([405, 413]);

/**
 * What a request counts as. The route counts only with a method that it answers, and once the gate has let the request pass: a
 * stranger makes no more series than there are operations with their statuses (F76).
 */
function seriesOf(
  method: string,
  { route, status, hasPassed }: { route: string; status: number; hasPassed: boolean },
): Pick<RequestObservation, 'method' | 'route'> {
  if (!usualMethods.has(method)) return { method: 'other', route: nowhere };
  return { method, route: hasPassed && !beforeOperations.has(status) ? route : nowhere };
}

/**
 * Writes one line for an answered request and reports it to the metrics. The line carries neither
 * headers nor the query string, where secrets travel, nor a path that holds one. For a streamed
 * answer the duration is the time to its beginning.
 */
export function logAccess(options: {
  logger: EdgeLogger;
  clock: Clock;
  observeRequest?: (observation: RequestObservation) => void;
}): (context: RequestContext, answered: { route: string; status: number }) => void {
  const { logger, clock, observeRequest } = options;
  return ({ request, requestId, caller, owned, start, span, hasPassed }, { route, status }) => {
    const { method } = request;
    const path = owned?.policy.hasSecret ? patternOf(owned, route) : request.path;
    const durationMs = clock.now() - start;
    const level = owned?.policy.isQuiet ? 'debug' : 'info';
    logger[level](
      {
        method,
        path,
        status,
        durationMs,
        requestId,
        traceId: span?.traceId,
        caller: caller.address,
      },
      'request',
    );
    span?.end({
      name: `${method} ${route}`,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
      },
      isFailure: status >= 500,
    });
    const series = seriesOf(method, { route, status, hasPassed });
    observeRequest?.({ ...series, status, durationMs });
  };
}

/** The most specific pattern: the route that answered or, for a refusal, which comes from `/*`, the owner's. */
function patternOf({ pattern }: OwnedPath, route: string): string {
  return route === nowhere ? pattern : route;
}
