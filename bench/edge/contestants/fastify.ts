import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type { Answer } from '../../../src/kernel/edge/answer.ts';
import { untilAnswered } from '../../../src/kernel/edge/answer-directly.ts';
import {
  EdgeError,
  edgeErrorStatus,
  methodNotAllowed,
} from '../../../src/kernel/edge/edge-error.ts';
import { createHeartbeats } from '../../../src/kernel/edge/listener/heartbeats.ts';
import type { RequestContext } from '../../../src/kernel/edge/mount.ts';
import type { OwnedPath } from '../../../src/kernel/edge/paths.ts';
import { readBody } from '../../../src/kernel/edge/request.ts';
import { systemClock as clock } from '../../../src/kernel/wait/clock.ts';
import { shareTurn } from '../../../src/kernel/wait/turns.ts';
import { createListenerServer, listen, type ReadMessage } from '../listen.ts';
import { matchOperations } from '../match-operations.ts';
import { createSteps, ownedAt, type StepsOptions, viewOf } from '../steps.ts';
import {
  colonPath,
  routes as measuredRoutes,
  notFoundBody,
  type Route,
  streamHeaders,
} from '../work.ts';

/** The part of Fastify that is used here. */
type Fastify = {
  readonly server: Server;
  decorateRequest(name: string, value: null): void;
  addHook(name: 'onRequest', hook: Hook): void;
  addHook(
    name: 'onSend',
    hook: (
      request: Asked,
      reply: Reply,
      payload: unknown,
      done: (error: null, payload: unknown) => void,
    ) => void,
  ): void;
  addHttpMethod(method: string, options: { hasBody: boolean; overrideExisting: boolean }): void;
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parse: (request: Asked, body: Buffer, done: (error: null, body: string) => void) => void,
  ): void;
  setErrorHandler(handle: (error: unknown, request: Asked, reply: Reply) => unknown): void;
  setNotFoundHandler(handle: (request: Asked, reply: Reply) => unknown): void;
  route(route: FastifyRoute): void;
  ready(): Promise<unknown>;
  listen(options: { port: number; host: string }): Promise<string>;
};
type Hook = (request: Asked, reply: Reply, done: () => void) => unknown;
type FastifyRoute = {
  readonly method: string;
  readonly url: string;
  readonly onRequest?: Hook;
  readonly preHandler?: Hook;
  handler(request: Asked, reply: Reply): unknown;
};
type Asked = {
  readonly raw: IncomingMessage;
  readonly params: Record<string, string>;
  readonly query: Record<string, string>;
  body: string | undefined;
  readonly headers: Record<string, string | undefined>;
  readonly signal: AbortSignal;
  readonly is404: boolean;
  context: RequestContext | null;
};
type Reply = {
  readonly raw: ServerResponse;
  readonly statusCode: number;
  code(status: number): Reply;
  headers(headers: Readonly<Record<string, string>>): Reply;
  header(name: string, value: string): Reply;
  send(body: unknown): Reply;
  hijack(): Reply;
};

// Not before it is asked for, since the peers are not installed wherever the bare server is measured.
const createFastify = (options: object): Fastify =>
  createRequire(import.meta.url)('fastify')(options);

/** Fastify as it comes, without its logger, and with the text of bodies handed to the handlers. */
export async function openBareFastify(): Promise<number> {
  const app = createFastify({ logger: false });
  takeText(app);
  for (const route of measuredRoutes) {
    app.route({
      method: route.method,
      url: colonPath(route.path),
      handler(request, reply) {
        if ('stream' in route) {
          return reply.headers(streamHeaders).send(Readable.from(route.stream()));
        }
        const { authorization } = request.headers;
        const query = request.raw.url?.split('?')[1] ?? '';
        const given = { variables: request.params, query, authorization, body: request.body ?? '' };
        const answer = route.answer(given) as Answer;
        return reply.code(answer.status).headers(answer.headers).send(answer.body);
      },
    });
  }
  app.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .header('Content-Type', 'application/json')
      .send(notFoundBody(request.raw.url ?? '')),
  );
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return Number(new URL(url).port);
}

type FastifyOptions = StepsOptions & {
  /** What the direct way does in the place of Fastify: nothing, writing answers, or reading bodies too. */
  readonly ours: 'nothing' | 'writing' | 'reading and writing';
  readonly routes?: readonly Route[];
};

/** Fastify on the server of our listener, with the steps of the edge as hooks. */
export async function openFastify(options: FastifyOptions): Promise<number> {
  const { ours, routes = measuredRoutes } = options;
  const isOwnWriter = ours !== 'nothing';
  const isOwnReader = ours === 'reading and writing';
  const { server, answerBy } = await createListenerServer();
  const app = createFastify({
    logger: false,
    serverFactory(handler: RequestListener) {
      answerBy((incoming, outgoing) => {
        // As the listener has read it, without dot segments.
        const { pathname, query } = (incoming as ReadMessage).known.address;
        if (!incoming.url?.startsWith(pathname)) incoming.url = `${pathname}?${query}`;
        handler(incoming, outgoing);
      });
      return server;
    },
    frameworkErrors(_: Error, request: Asked, reply: Reply) {
      const { path } = enter(request, nowhere).request;
      return refuse(new EdgeError('NOT_FOUND', path), request, reply);
    },
    // The listener answers what is no request; Fastify would write a second answer to it.
    clientErrorHandler: () => {},
    bodyLimit: 65_536,
    routerOptions: { maxParamLength: 16_384 },
  });
  const steps = createSteps(options);
  const nextTurn = shareTurn(clock);
  const heartbeats = createHeartbeats(clock);
  const nowhere = ownedAt('/*');
  if (isOwnReader) app.addHttpMethod('POST', { hasBody: false, overrideExisting: true });
  else takeText(app);
  app.decorateRequest('context', null);

  const enter = (request: Asked, owned: OwnedPath): RequestContext => {
    const read = (request.raw as ReadMessage).known;
    const context = steps.enter(viewOf(request.raw, read), owned);
    request.context = context;
    steps.check(context);
    return context;
  };
  // Not once the answer has left, which needs listeners on each response; the direct way does not wait for that either.
  app.addHook('onSend', ({ context }, reply, payload, done) => {
    if (context !== null) {
      const list = steps.headersFor(context);
      for (let index = 0; index < list.length; index += 2) {
        reply.header(list[index] ?? '', list[index + 1] ?? '');
      }
      steps.leave(context, context.owned?.pattern ?? '', reply.statusCode);
    }
    done(null, payload);
  });

  for (const route of routes) {
    app.route({
      method: route.method,
      url: colonPath(route.path),
      ...hooksFor(route),
      handler(request, reply) {
        if ('stream' in route) {
          heartbeats.watch(reply.raw);
          if (isOwnWriter) {
            return streamOurselves(request, reply, route.stream());
          }
          return reply.headers(streamHeaders).send(Readable.from(route.stream()));
        }
        const context = request.context as RequestContext;
        const { query } = context.request.address;
        const { authorization } = request.headers;
        const given = { variables: request.params, query, authorization, body: request.body ?? '' };
        const signal = route.isWork ? request.signal : undefined;
        const answered = route.answer({ ...given, signal }, context);
        const send = (answer: Answer) =>
          isOwnWriter
            ? sendOurselves(request, reply, answer)
            : reply.code(answer.status).headers(answer.headers).send(answer.body);
        return answered instanceof Promise ? answered.then(send) : send(answered);
      },
    });
  }
  // Hooks of the route, since asking a request for the settings of its route makes an object of them each time.
  function hooksFor(route: Route): Pick<FastifyRoute, 'onRequest' | 'preHandler'> {
    const owned = ownedAt(route.path);
    const onRequest: Hook = (request, _, done) => {
      const context = enter(request, owned);
      for (const name in request.params) {
        if (request.params[name]?.includes('\0')) throw new EdgeError('NOT_FOUND', route.path);
      }
      untilAnswered(context, done);
    };
    if (route.method === 'POST' && isOwnReader) {
      return { onRequest, preHandler: (request, _, done) => void readFirst(request).then(done) };
    }
    if (!route.isWork && route.method === 'GET') return { onRequest };
    return { onRequest, preHandler: (_request, _, done) => void nextTurn().then(done) };
  }

  app.setErrorHandler(refuse);
  // Before the body, which Fastify would read for the handler of what is not found.
  const find = matchOperations(routes);
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const { method, path } = enter(request, nowhere).request;
    const found = find(path).map(({ route }) => route.method);
    const methods = found.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : one));
    if (methods.length === 0) return refuse(new EdgeError('NOT_FOUND', path), request, reply);
    const isPreflight =
      method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    return isPreflight
      ? reply.code(204).send(undefined)
      : refuse(methodNotAllowed({ method, path }, methods), request, reply);
  });
  await app.ready();
  return listen(server);

  async function readFirst(request: Asked): Promise<void> {
    request.body = await readBody(request.raw);
    await nextTurn();
  }

  function refuse(error: unknown, request: Asked, reply: Reply): Reply {
    const refusal = error instanceof EdgeError ? error : explain(error, request);
    const body = notFoundBody(request.context?.request.path ?? '');
    return reply
      .code(edgeErrorStatus[refusal.code])
      .headers({ 'Content-Type': 'application/json', ...refusal.headers })
      .send(body);
  }

  function sendOurselves({ context }: Asked, reply: Reply, answer: Answer): Reply {
    if (context === null) throw new Error('no context');
    const { status, headers, body } = answer;
    const { raw } = reply.hijack();
    const length = Buffer.byteLength(body);
    const list = ['Content-Length', String(length)];
    for (const name in headers) list.push(name, headers[name] ?? '');
    list.push(...steps.headersFor(context));
    raw.writeHead(status, list);
    raw.end(body, length === body.length ? 'latin1' : 'utf8');
    steps.leave(context, context.owned?.pattern ?? '', status);
    return reply;
  }

  function streamOurselves({ context }: Asked, reply: Reply, pieces: AsyncIterable<string>): Reply {
    if (context === null) throw new Error('no context');
    const { raw } = reply.hijack();
    raw.writeHead(200, [...Object.entries(streamHeaders).flat(), ...steps.headersFor(context)]);
    Readable.from(pieces).pipe(raw);
    steps.leave(context, context.owned?.pattern ?? '', 200);
    return reply;
  }
}

/** A refusal of Fastify's own as one of the edge. */
function explain(error: unknown, request: Asked): EdgeError {
  const { code } = error as { code?: string };
  const { path } = request.context?.request ?? { path: '' };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new EdgeError('PAYLOAD_TOO_LARGE', path);
  return new EdgeError('INTERNAL_ERROR', path, { cause: error });
}

/** Bodies reach the handlers as text: forms and JSON are parsed there, as in every server of the comparison. */
const utf8 = new TextDecoder();
function takeText(app: Fastify): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) =>
    done(null, utf8.decode(body)),
  );
}
