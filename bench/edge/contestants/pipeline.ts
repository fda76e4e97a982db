import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
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
import { type EdgeRequest, readBody } from '../../../src/kernel/edge/request.ts';
import { systemClock as clock } from '../../../src/kernel/wait/clock.ts';
import { createBoundedMap } from '../../../src/kernel/wait/remembered.ts';
import { shareTurn } from '../../../src/kernel/wait/turns.ts';
import { createListenerServer, listen, type ReadMessage } from '../listen.ts';
import { matchOperations } from '../match-operations.ts';
import { createSteps, ownedAt, type StepsOptions, silentLogger, viewOf } from '../steps.ts';
import {
  colonPath,
  routes as measuredRoutes,
  notFoundBody,
  type Route,
  streamHeaders,
} from '../work.ts';

type Matched = {
  readonly route: Route;
  readonly owned: OwnedPath;
  readonly variables: Readonly<Record<string, string | undefined>>;
};
const nowhere = ownedAt('/*');

/** Finds the route of a method and path. */
type Match = (method: string, path: string) => Matched | undefined;

/**
 * A sketch of one pipeline for all requests, on the objects of Node.js: match, caller, host and origin, read, handle, write,
 * each in one place. It takes GET, HEAD and POST, bodies with and without a declared length, and streams.
 */
export async function openPipeline(
  router: 'operations' | 'find-my-way',
  options: StepsOptions & { readonly routes?: readonly Route[] } = {},
): Promise<number> {
  const { routes = measuredRoutes } = options;
  const match = router === 'operations' ? matchByOperations(routes) : matchByFindMyWay(routes);
  const steps = createSteps(options);
  const nextTurn = shareTurn(clock);
  const heartbeats = createHeartbeats(clock);
  const { server, answerBy } = await createListenerServer();

  answerBy((incoming, outgoing) => {
    const { known: read } = incoming as ReadMessage;
    const request = viewOf(incoming, read);
    const matched = match(request.method === 'HEAD' ? 'GET' : request.method, request.path);
    const context = steps.enter(request, matched?.owned ?? nowhere);
    try {
      steps.check(context);
      const answering = () => answer(matched, context, { incoming, outgoing });
      // What is wrong with a body shows a turn later, and should not depend on how soon it is answered.
      const isUnread = bringsBody(request) && matched?.route.method !== 'POST';
      const answered = isUnread ? clock.turn().then(answering) : answering();
      if (answered instanceof Promise) void finish(answered, context, { incoming, outgoing });
      else send(answered, context, outgoing);
    } catch (error) {
      refuse(error, context, outgoing);
    }
  });
  return listen(server);

  function answer(
    matched: Matched | undefined,
    context: RequestContext,
    { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
  ): Answer | Promise<Answer | undefined> {
    const { request } = context;
    if (matched === undefined) return refuseMethod(request);
    const { route } = matched;
    if ('stream' in route) return sendStream(route.stream(), context, outgoing);
    if (route.method === 'GET' && !route.isWork) return handle(matched, context, '');
    const signal = route.isWork ? untilClosed(outgoing) : undefined;
    if (route.method === 'GET') return nextTurn().then(() => handle(matched, context, '', signal));
    return answerBody(matched, context, incoming);
  }

  async function answerBody(
    matched: Matched,
    context: RequestContext,
    incoming: IncomingMessage,
  ): Promise<Answer> {
    const { request } = context;
    const limit = matched.owned.guard.bodyLimit;
    const length = request.header('content-length');
    const isCounted = request.header('transfer-encoding') !== undefined;
    if (Number(length ?? 0) > limit) throw tooLarge(limit);
    // Where neither header announces a body, no end of one is announced either.
    const body =
      length === undefined && !isCounted
        ? ''
        : await (isCounted ? readCounted(incoming, limit) : readBody(incoming));
    await nextTurn();
    return handle(matched, context, body);
  }

  async function finish(
    answered: Promise<Answer | undefined>,
    context: RequestContext,
    { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
  ): Promise<void> {
    try {
      const answer = await answered;
      if (answer !== undefined) send(answer, context, outgoing);
    } catch (error) {
      refuse(error, context, outgoing);
      if (!incoming.complete) dropRest(incoming);
    }
  }

  /** Throws the refusal of a path that nobody serves, or of a method that nobody serves there. */
  function refuseMethod({ method, path, header }: EdgeRequest): Answer {
    const methods = methodsAt(match, path);
    const isPreflight =
      method === 'OPTIONS' && header('access-control-request-method') !== undefined;
    if (methods.length > 0 && isPreflight) return { status: 204, headers: {}, body: '' };
    throw methods.length > 0
      ? methodNotAllowed({ method, path }, methods)
      : new EdgeError('NOT_FOUND', path);
  }

  function handle(
    { route, variables }: Matched,
    context: RequestContext,
    body: string,
    signal?: AbortSignal,
  ): Answer | Promise<Answer> {
    if (!('answer' in route)) throw new Error('a stream');
    const { query } = context.request.address;
    const authorization = context.request.header('authorization');
    const given = { variables, query, authorization, body, signal };
    return untilAnswered(context, () => route.answer(given, context));
  }

  function send(answer: Answer, context: RequestContext, outgoing: ServerResponse): void {
    const { status, headers, body } = answer;
    const length = Buffer.byteLength(body);
    const list = ['Content-Length', String(length)];
    for (const name in headers) list.push(name, headers[name] ?? '');
    list.push(...steps.headersFor(context));
    outgoing.writeHead(status, list);
    outgoing.end(body, length === body.length ? 'latin1' : 'utf8');
    steps.leave(context, context.owned?.pattern ?? '', status);
  }

  async function sendStream(
    pieces: AsyncIterable<string>,
    context: RequestContext,
    outgoing: ServerResponse,
  ): Promise<undefined> {
    const list = Object.entries(streamHeaders).flat();
    outgoing.writeHead(200, [...list, ...steps.headersFor(context)]);
    outgoing.flushHeaders();
    heartbeats.watch(outgoing);
    steps.leave(context, context.owned?.pattern ?? '', 200);
    for await (const piece of pieces) {
      if (outgoing.destroyed) return undefined;
      if (!outgoing.write(piece)) await drained(outgoing);
    }
    outgoing.end();
    return undefined;
  }

  function refuse(error: unknown, context: RequestContext, outgoing: ServerResponse): void {
    if (!(error instanceof EdgeError)) silentLogger.error({ err: error }, 'unexpected error');
    // A second answer would be read as the rest of the first.
    if (outgoing.headersSent) return void outgoing.destroy();
    const status = error instanceof EdgeError ? edgeErrorStatus[error.code] : 500;
    const more = error instanceof EdgeError ? error.headers : {};
    const headers = { 'Content-Type': 'application/json', ...more };
    send({ status, headers, body: notFoundBody(context.request.path) }, context, outgoing);
  }
}

function bringsBody({ header }: EdgeRequest): boolean {
  return header('content-length') !== undefined || header('transfer-encoding') !== undefined;
}

function methodsAt(match: Match, path: string): readonly string[] {
  const served = ['GET', 'POST'].filter((method) => match(method, path) !== undefined);
  return served.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method));
}

/** Reads a body of undeclared length, until it is larger than it may be. */
function readCounted(incoming: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limit) reject(tooLarge(limit));
    });
    readBody(incoming).then(resolve, reject);
  });
}

const tooLarge = (limit: number) =>
  new EdgeError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`);

const mostDropped = 1024 * 1024;

/** The caller sees the answer if some of the rest of its body is read for a while; then the connection ends. */
function dropRest(incoming: IncomingMessage): void {
  const { socket } = incoming;
  let dropped = 0;
  const drop = ({ length }: Buffer) => {
    dropped += length;
    if (dropped > mostDropped) end();
  };
  const end = () => {
    incoming.off('data', drop);
    socket.destroySoon();
  };
  const ending = setTimeout(end, 500);
  incoming.removeAllListeners('data').on('data', drop);
  incoming.once('close', () => clearTimeout(ending));
}

/** A signal that fires when the connection closes before the answer is written. */
function untilClosed(outgoing: ServerResponse): AbortSignal {
  const closed = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) closed.abort('The caller has hung up.');
  });
  return closed.signal;
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}

/** The product's own matcher, which remembers paths. */
function matchByOperations(routes: readonly Route[]): Match {
  const owners = new Map(routes.map((route) => [route, ownedAt(route.path)]));
  const find = matchOperations(routes);
  const known = createBoundedMap<string, readonly Matched[]>(1_000);
  return (method, path) => {
    let found = known.get(path);
    if (found === undefined) {
      found = find(path).map((one) => ({ ...one, owned: owners.get(one.route) ?? nowhere }));
      if (found.length > 0) known.set(path, found);
    }
    return found.find(({ route }) => route.method === method);
  };
}

type Router = {
  on(method: string, path: string, handler: () => void, store: Omit<Matched, 'variables'>): void;
  find(
    method: string,
    path: string,
  ): { params: Matched['variables']; store: Omit<Matched, 'variables'> } | null;
};

function matchByFindMyWay(routes: readonly Route[]): Match {
  const createRouter: () => Router = createRequire(import.meta.url)('find-my-way');
  const router = createRouter();
  for (const route of routes) {
    const store = { route, owned: ownedAt(route.path) };
    router.on(route.method, colonPath(route.path), () => {}, store);
  }
  return (method, path) => {
    const found = router.find(method, path);
    return found === null ? undefined : { ...found.store, variables: found.params };
  };
}
