import { type Context, Hono } from 'hono';
import { routePath } from 'hono/route';
import { TrieRouter } from 'hono/router/trie-router';
import type { RouterRoute } from 'hono/types';
import { setHeaders, toResponse } from './answer.ts';
import { answerDirectly, untilAnswered } from './answer-directly.ts';
import { EdgeError, methodNotAllowed } from './edge-error.ts';
import { createGate, type GateOptions } from './gate/create-gate.ts';
import { isPreflight } from './gate/origins.ts';
import type { RefuseUnread } from './listener/answer-unread.ts';
import type { AnswerDirectly } from './listener/create-server.ts';
import { callOf, type EdgeEnv } from './mount.ts';
import { addressOf, type EdgeRequest, readHeader } from './request.ts';

/** The services behind one gate. */
export type Edge = Pick<Hono<EdgeEnv>, 'fetch' | 'request'> & {
  /** Answers endpoints and direct operations with the objects of Node.js; all else goes to `fetch`. */
  readonly answerDirectly: AnswerDirectly;
  /** Refuses what never became a request. */
  readonly refuseUnread: RefuseUnread;
};

/** Serves all mounts behind the rules of {@link createGate}, which every request must pass. */
export function createEdge(options: GateOptions): Edge {
  const { mounts } = options;
  const gate = createGate(options);
  const app = new Hono<EdgeEnv>();

  // Two middlewares, not one per concern: every further one costs a request several promises.
  app.use(async (c, next) => {
    const context = gate.enter(requestOf(c));
    c.set('context', context);
    await untilAnswered(context, next);
    // Last of all, so that a handler which returns a plain `Response` cannot lose them.
    setHeaders(c.res.headers, gate.headersFor(context));
    // By now the current route is the one that answered, or the last middleware for a refusal.
    const route = context.owned?.served ? context.owned.pattern : routePath(c);
    gate.leave(context, { route, status: c.res.status });
  });
  app.use((c, next) => {
    const context = c.get('context');
    gate.check(context);
    if (context.owned === undefined) return next();
    const { limitBody, allowOrigins } = context.owned.guard;
    if (allowOrigins !== undefined && isPreflight(context.request)) {
      return Promise.resolve(new Response(null, { status: 204 }));
    }
    const { served } = context.owned;
    if (served === undefined) return limitBody(c, next);
    return limitBody(c, async () => {
      c.res = await served.answer({ request: c.req.raw, matched: served.matched, context });
    });
  });
  for (const { app: service, endpoints = [] } of mounts) {
    for (const { method, path, answer } of endpoints) {
      app.on(method, path, async (c) => toResponse(await answer(await callOf(c))));
    }
    if (service !== undefined) app.route('/', service);
  }
  const methodsAt = indexMethods(app.routes);

  app.notFound((c) => {
    const { method, path } = c.req;
    const methods = methodsAt(path);
    return gate.refuse(
      methods.length > 0 && !methods.includes(method)
        ? methodNotAllowed(c.req, methods)
        : new EdgeError('NOT_FOUND', `Nothing is served at ${path.slice(0, 255)}.`),
      c.get('context'),
    );
  });
  app.onError((error, c) => gate.refuse(error, c.get('context')));
  return {
    fetch: app.fetch,
    request: app.request,
    refuseUnread: gate.refuseUnread,
    answerDirectly: answerDirectly({ mounts, gate, logger: options.logger, clock: options.clock }),
  };
}

function requestOf(c: Context<EdgeEnv>): EdgeRequest {
  const { req } = c;
  const headers = c.env?.headers;
  return {
    method: req.method,
    path: req.path,
    address: c.env?.address ?? addressOf(req.url, req.header('host')),
    connection: c.env?.connection,
    ...(c.env?.whenReceived === undefined ? {} : { whenReceived: c.env.whenReceived }),
    // The web's `Headers` cost a request more than everything else that the gate does.
    header: headers ? (name) => readHeader(headers, name) : (name) => req.header(name),
    isAborted: () => c.env?.connection?.isClosed?.() ?? req.raw.signal.aborted,
  };
}

/**
 * Finds the methods that a path answers; none where nothing is served. A handler of every method,
 * such as a guard, does not count. A path that answers GET also answers HEAD.
 */
function indexMethods(
  routes: readonly Pick<RouterRoute, 'method' | 'path'>[],
): (path: string) => readonly string[] {
  const index = new TrieRouter<readonly string[]>();
  for (const { method, path } of routes) {
    if (method === 'ALL' || method === 'HEAD') continue;
    index.add('ALL', path, method === 'GET' ? ['GET', 'HEAD'] : [method]);
  }
  return (path) => [...new Set(index.match('ALL', path)[0].flatMap(([methods]) => methods))];
}
