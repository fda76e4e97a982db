import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import type { Clock } from '../clock.ts';
import type { Network } from '../network/network.ts';
import type { Random } from '../random.ts';
import { checkHost } from './check-host.ts';
import type { EdgeEnv } from './edge-env.ts';
import { EdgeError } from './edge-error.ts';
import { guardPath, type PathPolicy } from './guard-path.ts';
import { identifyCaller } from './identify-caller.ts';
import { identifyRequest } from './identify-request.ts';
import { indexMethods } from './index-methods.ts';
import { type EdgeLogger, logAccess, type RequestObservation } from './log-access.ts';
import { requireTls } from './require-tls.ts';
import { setSecurityHeaders } from './set-security-headers.ts';
import { type WriteRefusal, writeRefusal } from './write-refusal.ts';

/** A service on the edge: its app, the paths it owns, and how refusals on those paths are written. */
export type Mount = {
  app: Hono<EdgeEnv>;
  /**
   * By pattern as Hono writes it; `/v1/subscriptions/*` includes `/v1/subscriptions`. Where several
   * patterns fit, the first decides.
   */
  paths: Readonly<Record<string, PathPolicy>>;
  writeRefusal?: WriteRefusal;
};

export type EdgeOptions = {
  publicUrl: URL;
  trustedProxies: readonly Network[];
  /** Origins, beside our own, whose pages may call paths with `origins: 'own'`. */
  allowedOrigins?: readonly string[];
  mounts: readonly Mount[];
  logger: EdgeLogger;
  clock: Clock;
  random: Random;
  observeRequest?: (observation: RequestObservation) => void;
};

/**
 * Joins the services into one app behind the guards every request passes, in the order they stand
 * here. A refusal is written in the envelope of the service that owns the path; an error that no
 * service handled is logged once and answered with nothing of its text.
 */
export function createEdge(options: EdgeOptions): Hono<EdgeEnv> {
  const { publicUrl, trustedProxies, allowedOrigins = [], mounts, logger } = options;
  const { clock } = options;
  const app = new Hono<EdgeEnv>();
  const pathAt = indexPaths(mounts, (policy) => guardPath({ policy, publicUrl, allowedOrigins }));
  const writeDefault = writeRefusal(clock);
  const requestIdOf = identifyRequest(options.random);
  const identify = identifyCaller(trustedProxies);
  const log = logAccess({ ...options, isQuiet: quietPaths(mounts) });
  const secure = setSecurityHeaders(publicUrl);
  const checkTls = publicUrl.protocol === 'https:' ? requireTls(publicUrl) : undefined;
  const checkName = checkHost(publicUrl);

  // Two steps and not one for each concern: every further one costs a request several promises.
  app.use(async (c, next) => {
    const start = clock.now();
    const requestId = requestIdOf(c);
    const { peer, caller } = identify(c);
    c.set('requestId', requestId);
    c.set('peer', peer);
    c.set('caller', caller);
    await next();
    // Last of all, so that a handler which returns a plain `Response` cannot lose them.
    const { headers } = c.res;
    secure(headers);
    headers.set('X-Request-Id', requestId);
    log(c, start);
  });
  app.use((c, next) => {
    const owned = pathAt(c.req.path);
    if (!owned?.policy.isProbe) {
      checkTls?.(c);
      checkName(c);
    }
    return owned === undefined ? next() : owned.guard(c, next);
  });
  for (const { app: service } of mounts) app.route('/', service);
  const methodsAt = indexMethods(app.routes);

  app.notFound((c) => {
    const methods = methodsAt(c.req.path);
    if (methods.length > 0 && !methods.includes(c.req.method)) return refuseMethod(c, methods);
    return refuse(c, new EdgeError('NOT_FOUND', `Nothing is served at ${c.req.path}.`));
  });
  app.onError((error, c) => refuse(c, error instanceof EdgeError ? error : conceal(error, c)));
  return app;

  async function refuse(c: Context<EdgeEnv>, error: EdgeError): Promise<Response> {
    const write = pathAt(c.req.path)?.mount.writeRefusal ?? writeDefault;
    const response = await write(error, c);
    for (const [name, value] of Object.entries(error.headers)) response.headers.set(name, value);
    return response;
  }

  function refuseMethod(c: Context<EdgeEnv>, methods: readonly string[]): Promise<Response> {
    const allow = methods.join(', ');
    const message = `${c.req.path} does not answer ${c.req.method}: use ${allow}.`;
    return refuse(c, new EdgeError('METHOD_NOT_ALLOWED', message, { headers: { Allow: allow } }));
  }

  function conceal(error: Error, c: Context<EdgeEnv>): EdgeError {
    if (c.req.raw.signal.aborted) {
      return new EdgeError(
        'REQUEST_ABORTED',
        'The connection closed before the request was complete.',
      );
    }
    const requestId = c.get('requestId');
    logger.error({ err: error, requestId }, 'unexpected error');
    return new EdgeError(
      'INTERNAL_ERROR',
      `Something went wrong on this server; its log tells what under the request id ${requestId}.`,
      { cause: error },
    );
  }
}

/** Every path without a name in it, and the first of those with one: matching costs more than the guards. */
const pathsKept = 1_000;

type OwnedPath = { mount: Mount; policy: PathPolicy; guard: MiddlewareHandler<EdgeEnv> };

/** Finds who owns a path and how it is guarded, by the same kind of pattern that requests are routed by. */
function indexPaths(
  mounts: readonly Mount[],
  guardFor: (policy: PathPolicy) => MiddlewareHandler<EdgeEnv>,
): (path: string) => OwnedPath | undefined {
  const index = new TrieRouter<OwnedPath>();
  const find = (path: string) => index.match('ALL', path)[0][0]?.[0];
  const known = new Map<string, OwnedPath>();
  const pathAt = (path: string) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const owned = find(path);
    if (owned !== undefined && known.size < pathsKept) known.set(path, owned);
    return owned;
  };
  for (const mount of mounts) {
    for (const [path, policy] of Object.entries(mount.paths)) {
      index.add('ALL', path, { mount, policy, guard: guardFor(policy) });
    }
    const stray = mount.app.routes.find(({ path }) => find(path)?.mount !== mount);
    if (stray !== undefined) {
      throw new TypeError(
        `A mounted app serves ${stray.path}, which is not among the paths it owns and would go unguarded: add it to "paths".`,
      );
    }
  }
  return pathAt;
}

function quietPaths(mounts: readonly Mount[]): (path: string) => boolean {
  const quiet = mounts.flatMap(({ paths }) =>
    Object.keys(paths).filter((path) => paths[path]?.isQuiet),
  );
  return (path) => quiet.includes(path);
}
