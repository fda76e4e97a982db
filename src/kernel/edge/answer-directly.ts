import type { IncomingMessage, ServerResponse } from 'node:http';
import { inSpan } from '../telemetry/trace.ts';
import type { Clock } from '../wait/clock.ts';
import { onBehalfOf } from '../wait/presence.ts';
import { shareTurn } from '../wait/turns.ts';
import { type Answer, setHeaders } from './answer.ts';
import { isBodyWithin } from './gate/bodies.ts';
import type { Gate } from './gate/create-gate.ts';
import type { EdgeLogger } from './gate/log-access.ts';
import type { AnswerDirectly, ReadRequest } from './listener/create-server.ts';
import type { Endpoint, EndpointCall, Mount, RequestContext } from './mount.ts';
import { type EdgeRequest, readBody, readHeader } from './request.ts';

/**
 * Answers endpoints and direct operations with the request and response objects of Node.js: those of the web cost more
 * than the guards and most answers (bench/edge). It takes only requests that need nothing further: the path of an
 * endpoint without a query, or the path of an operation in plain characters and without a token; the declared method; a
 * body of declared length within the limit; and nothing that the gate refuses. It leaves everything else to the app,
 * which serves the same paths and writes the refusals.
 */
export function answerDirectly(options: {
  readonly mounts: readonly Mount[];
  readonly gate: Gate;
  readonly logger: EdgeLogger;
  readonly clock: Clock;
}): AnswerDirectly {
  const { gate } = options;
  // Requests that arrive in one turn are worked on together: with 16 callers a token takes a quarter less processor time.
  const nextTurn = shareTurn(options.clock);
  const endpoints = indexEndpoints(options.mounts);
  const answer = createWriter(options);

  return (incoming, outgoing, read) => {
    if (incoming.method === 'GET' && bringsBody(incoming)) return false;
    const asked = findEndpoint(incoming, read) ?? findOperation(incoming, outgoing, read);
    if (asked === undefined) return false;
    const request = requestOf(incoming, { ...read, path: asked.path });
    const context = gate.enter(request);
    const isWithin = isBodyWithin(request, context.owned?.guard.bodyLimit ?? 0);
    if (!isWithin || !isAdmitted(gate, context)) return false;
    answer(asked, context, outgoing);
    return true;
  };

  function findEndpoint(incoming: IncomingMessage, { address }: ReadRequest): Asked | undefined {
    const { pathname: path, query } = address;
    const endpoint = query === '' ? endpoints.get(path)?.get(incoming.method ?? '') : undefined;
    return (
      endpoint && {
        path,
        route: endpoint.path,
        work: (context) =>
          endpoint.method === 'GET'
            ? endpoint.answer(callOf(context, ''))
            : workOn(endpoint, context, incoming),
      }
    );
  }

  function findOperation(
    { method, headers }: IncomingMessage,
    outgoing: ServerResponse,
    { address }: ReadRequest,
  ): Asked | undefined {
    if (method !== 'GET' || headers.authorization !== undefined) return undefined;
    const { pathname: path, query } = address;
    // Others hold an escape, which the app decodes.
    const direct = plainPath.test(path) ? gate.directAt(path) : undefined;
    if (direct === undefined) return undefined;
    const { matched } = direct;
    return {
      path,
      route: matched.operation.path,
      work(context) {
        const signal = untilClosed(outgoing);
        return inNextTurn(context, () => direct.answer({ matched, query, context, signal }));
      },
    };
  }

  async function workOn(
    endpoint: Endpoint,
    context: RequestContext,
    incoming: IncomingMessage,
  ): Promise<Answer> {
    const body = await readBody(incoming);
    return inNextTurn(context, () => endpoint.answer(callOf(context, body)));
  }

  async function inNextTurn(
    context: RequestContext,
    work: () => Answer | Promise<Answer>,
  ): Promise<Answer> {
    await nextTurn();
    return untilAnswered(context, work);
  }
}

/** Writes a ready answer in the turn that brought the request, and a promised one as soon as it resolves. */
function createWriter({ gate, logger }: { readonly gate: Gate; readonly logger: EdgeLogger }) {
  return (asked: Asked, context: RequestContext, outgoing: ServerResponse): void => {
    try {
      const answered = asked.work(context);
      if (answered instanceof Promise) orDestroy(answered.then(send).catch(refuse));
      else send(answered);
    } catch (error) {
      orDestroy(refuse(error));
    }

    function send(answered: Answer): void {
      write(outgoing, answered, gate.headersFor(context));
      gate.leave(context, { route: asked.route, status: answered.status });
    }

    async function refuse(error: unknown): Promise<void> {
      const response = await gate.refuse(error, context);
      setHeaders(response.headers, gate.headersFor(context));
      const refused = await toAnswer(response);
      write(outgoing, refused, []);
      gate.leave(context, { route: asked.route, status: refused.status });
    }

    function orDestroy(writing: Promise<void>): void {
      writing.catch((error) => {
        logger.error({ err: error, requestId: context.requestId }, 'refusal not written');
        outgoing.destroy();
      });
    }
  };
}

/** Whether a body follows. A GET has none to be read, so what is wrong with it would show before or after the answer by chance. */
function bringsBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function isAdmitted(gate: Gate, context: RequestContext): boolean {
  try {
    gate.check(context);
    return true;
  } catch {
    return false; // the app repeats the check and writes the refusal
  }
}

function callOf({ request, caller, isForeignPage }: RequestContext, body: string): EndpointCall {
  return { request, caller, isForeignPage, body };
}

/** What a request asks for, and the pattern of the route that answers. */
type Asked = {
  readonly path: string;
  readonly route: string;
  work(context: RequestContext): Answer | Promise<Answer>;
};

/** A path in which nothing is to be decoded. */
const plainPath = /^(?:\/[\w-]+)+$/;

/** A signal that fires when the connection closes before the answer is written. */
function untilClosed(outgoing: ServerResponse): AbortSignal {
  const closed = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) closed.abort('The caller has hung up.');
  });
  return closed.signal;
}

/** By path and method. A pattern that ends in `/*` is indexed by the path before that. */
function indexEndpoints(
  mounts: readonly Mount[],
): ReadonlyMap<string, ReadonlyMap<string, Endpoint>> {
  const index = new Map<string, Map<string, Endpoint>>();
  for (const endpoint of mounts.flatMap((mount) => mount.endpoints ?? [])) {
    const path = endpoint.path.replace(/\/\*$/, '');
    index.set(path, new Map([...(index.get(path) ?? []), [endpoint.method, endpoint]]));
  }
  return index;
}

function requestOf(
  incoming: IncomingMessage,
  read: ReadRequest & Pick<EdgeRequest, 'path'>,
): EdgeRequest {
  const { method = '', headers } = incoming;
  return {
    method,
    ...read,
    header: (name) => readHeader(headers, name),
    // Asks the socket and not the request, which Node.js destroys early if it has no body.
    isAborted: () => read.connection.isClosed?.() ?? false,
  };
}

async function toAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers), body: await response.text() };
}

/** Sends one list of headers and one body, the fastest way in Node.js. Throws before anything is sent. */
function write(
  outgoing: ServerResponse,
  { status, headers, body }: Answer,
  more: readonly string[],
) {
  const length = Buffer.byteLength(body);
  const list = ['Content-Length', String(length)];
  for (const name in headers) list.push(name, headers[name] ?? '');
  list.push(...more);
  outgoing.writeHead(status, list);
  // Text of as many bytes as characters is ASCII, which needs no encoding.
  outgoing.end(body, length === body.length ? 'latin1' : 'utf8');
}

/**
 * Runs the work of a request on behalf of its caller. Once the request is answered, the caller always
 * counts as present: the answer has promised the work that continues, such as a long-running operation.
 */
export function untilAnswered<T>(context: RequestContext, work: () => T): T {
  const { request, span } = context;
  const hasLeft = () => !context.isAnswered && request.isAborted();
  return inSpan(span, () => onBehalfOf(hasLeft, work));
}
