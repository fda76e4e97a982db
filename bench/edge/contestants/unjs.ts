import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { untilAnswered } from '../../../src/kernel/edge/answer-directly.ts';
import { createHeartbeats } from '../../../src/kernel/edge/listener/heartbeats.ts';
import { systemClock as clock } from '../../../src/kernel/wait/clock.ts';
import { shareTurn } from '../../../src/kernel/wait/turns.ts';
import { createListenerServer, listen, type ReadMessage } from '../listen.ts';
import { matchOperations } from '../match-operations.ts';
import { createSteps, ownedAt, viewOf } from '../steps.ts';
import { colonPath, notFoundBody, type Route, routes, streamHeaders } from '../work.ts';
import { streamOf } from './today.ts';

/** A request of srvx knows those of Node.js. */
type NodeRequest = Request & {
  readonly runtime?: { node?: { req: IncomingMessage; res: import('node:http').ServerResponse } };
};
type ToHandler = (fetch: (request: NodeRequest) => unknown) => RequestListener;

// By a name that is no literal: the types of the peers are not installed with those of the product.
const load = (name: string) => import(name);

type Answering = { readonly route: Route; readonly variables: Readonly<Record<string, string>> };

/** srvx with a map of static paths and one pattern, and nothing else. */
export async function openSrvx({ hasRules }: { hasRules: boolean }): Promise<number> {
  const { toNodeHandler, FastResponse } = await load('srvx/node');
  const find = hasRules ? findOperation() : findPlain();
  const answer = createAnswer(FastResponse);
  if (!hasRules) {
    const handler = (toNodeHandler as ToHandler)((request) => {
      const { pathname } = new URL(request.url);
      return answer(request, find(pathname));
    });
    return listen(createServer(handler));
  }
  return openWithRules(toNodeHandler, (request, path) => answer(request, find(path)));
}

/** h3 on srvx. */
export async function openH3({ hasRules }: { hasRules: boolean }): Promise<number> {
  const { H3, getRouterParams, HTTPResponse } = await load('h3');
  const { toNodeHandler } = await load('h3/node');
  const { toNodeHandler: toSrvxHandler } = await load('srvx/node');
  const app = new H3();
  const answer = createAnswer(HTTPResponse);
  for (const route of routes) {
    app.on(route.method, colonPath(route.path), (event: { req: NodeRequest }) =>
      answer(event.req, { route, variables: getRouterParams(event) }),
    );
  }
  app.all('/**', ({ req }: { req: NodeRequest }) => answer(req, undefined));
  if (!hasRules) return listen(createServer(toNodeHandler(app)));
  return openWithRules(toSrvxHandler, (request) => app.fetch(request));
}

/** The steps of the edge around an app that takes a `Request`, on the server of our listener. */
async function openWithRules(
  toHandler: ToHandler,
  answer: (request: NodeRequest, path: string) => Response | Promise<Response>,
): Promise<number> {
  const steps = createSteps();
  const nextTurn = shareTurn(clock);
  const heartbeats = createHeartbeats(clock);
  const owned = ownedAt('/v1/*');
  const { server, answerBy } = await createListenerServer();
  answerBy(
    toHandler(async (request) => {
      const { req, res } = request.runtime?.node ?? {};
      if (req === undefined) throw new Error('not from Node.js');
      const context = steps.enter(viewOf(req, (req as ReadMessage).known), owned);
      steps.check(context);
      if (req.method === 'POST' || context.request.address.query !== '') await nextTurn();
      const path = context.request.path;
      const answered = await untilAnswered(context, () => answer(request, path));
      const list = steps.headersFor(context);
      for (let index = 0; index < list.length; index += 2) {
        answered.headers.set(list[index] ?? '', list[index + 1] ?? '');
      }
      if (res && answered.headers.get('content-type') === 'text/event-stream')
        heartbeats.watch(res);
      steps.leave(context, owned.pattern, answered.status);
      return answered;
    }),
  );
  return listen(server);
}

function createAnswer(FastResponse: typeof Response) {
  return async (request: NodeRequest, found: Answering | undefined): Promise<Response> => {
    if (found === undefined) {
      const headers = { 'Content-Type': 'application/json' };
      return new FastResponse(notFoundBody(request.url), { status: 404, headers });
    }
    const { route, variables } = found;
    if ('stream' in route) {
      return new FastResponse(streamOf(route.stream()), { headers: streamHeaders });
    }
    const { status, headers, body } = await route.answer({
      variables,
      query: request.url.split('?')[1] ?? '',
      authorization: request.headers.get('authorization') ?? undefined,
      body: route.method === 'POST' ? await request.text() : '',
      signal: route.isWork ? request.signal : undefined,
    });
    return new FastResponse(body, { status, headers });
  };
}

function findPlain(): (path: string) => Answering | undefined {
  const atPath = new Map<string, Route>(routes.map((route) => [route.path, route]));
  return (path) => {
    const chainId = path.startsWith('/v1/swap/') ? path.slice(9) : '';
    const route = atPath.get(chainId === '' ? path : '/v1/swap/{chainId}');
    return route && { route, variables: { chainId } };
  };
}

function findOperation(): (path: string) => Answering | undefined {
  const find = matchOperations(routes);
  return (path) => find(path)[0];
}
