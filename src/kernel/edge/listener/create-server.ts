import { readFile } from 'node:fs/promises';
import {
  createServer as createHttpServer,
  type ServerOptions as HttpOptions,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { DomainError } from '../../model/domain-error.ts';
import type { Network } from '../../model/network.ts';
import type { ReportFault } from '../../telemetry/metrics.ts';
import type { Clock } from '../../wait/clock.ts';
import { edgeLimits } from '../limits.ts';
import type { EdgeEnv } from '../mount.ts';
import { type Connection, createAddressReader, type RequestAddress } from '../request.ts';
import { admitConnections, type ConnectionBounds } from './admit-connections.ts';
import {
  answerUnread,
  lastHeaders,
  type RefuseUnread,
  UnreadError,
  unreadErrorStatus,
} from './answer-unread.ts';
import { createLastCatch, trackConnections } from './connections.ts';
import { createHeartbeats } from './heartbeats.ts';

/** Answers a request, or returns `false` and leaves it untouched. */
export type AnswerDirectly = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  read: ReadRequest,
) => boolean;

/** What the listener has read of a request. */
export type ReadRequest = {
  readonly connection: Connection;
  readonly address: RequestAddress;
  /**
   * Calls `done`, perhaps more than once, when the body has arrived, the request is answered or the caller has left, and `came` with
   * the bytes of each part of the body.
   */
  whenReceived(done: () => void, came?: (bytes: number) => void): void;
};

export type ServerOptions = {
  fetch: (request: Request, env: EdgeEnv['Bindings']) => Response | Promise<Response>;
  /** Called first; requests that it does not answer go to `fetch`. */
  answerDirectly?: AnswerDirectly;
  /** Writes the refusal of input that is not a request for `fetch`. Default: a bare status. */
  refuseUnread?: RefuseUnread;
  tls?: TlsFiles;
  /** Proxies bring the connections of many callers, so none of their own is refused. */
  trustedProxies?: readonly Network[];
  timeouts?: Partial<ServerTimeouts>;
  /** Default: the declared limits. */
  mostConnections?: ConnectionBounds;
  /** Told of each error that nothing handled before it reached the listener. */
  reportFault?: ReportFault;
  clock: Clock;
};

/** How long a caller may take, in milliseconds. None of them bounds the whole of an answer, so streams may last. */
type ServerTimeouts = {
  /** From the connection, or the request before, to the end of the headers. */
  headersMs: number;
  /** From there to the end of the body. */
  requestMs: number;
  /** For the TLS handshake. */
  handshakeMs: number;
  /** Without taking a byte of an answer that waits. */
  answerMs: number;
  /** Between two requests on one connection. */
  idleMs: number;
};

const defaultTimeouts: ServerTimeouts = {
  headersMs: edgeLimits.headersTime.value,
  requestMs: edgeLimits.bodyTime.value,
  handshakeMs: edgeLimits.handshakeTime.value,
  answerMs: edgeLimits.answerTime.value,
  // A little longer than the 60 s after which common proxies drop an idle connection: the side that
  // might still send on it should be the one to close it.
  idleMs: 65_000,
};

const headerBytes = edgeLimits.headers.value;

/**
 * Creates the Node.js server, with TLS if files are given, but does not listen yet. Requests go to
 * `answerDirectly` and then to `fetch`; slow, oversized or malformed ones are refused before either.
 * Throws `TLS_FILES_UNUSABLE`.
 */
export async function createServer(options: ServerOptions) {
  const { fetch, answerDirectly, refuseUnread: refuse = refuseBare, tls } = options;
  const { headersMs, requestMs, handshakeMs, answerMs, idleMs } = {
    ...defaultTimeouts,
    ...options.timeouts,
  };
  const connectionOf = rememberConnections(tls !== undefined);
  const readAddress = createAddressReader();
  const heartbeats = createHeartbeats(options.clock, options.reportFault);
  const lastCatch = createLastCatch(options.reportFault);
  const readBefore = new WeakMap<IncomingMessage, ReadRequest>();
  const answerByFetch = getRequestListener(async (request, env) => {
    // Only HTTP/1.1 is served, so these are the bindings of its server.
    const { incoming, outgoing } = env as HttpBindings;
    const { socket, headers } = incoming;
    const connection = connectionOf(socket);
    const asked = async () => fetch(request, { connection, headers, ...readBefore.get(incoming) });
    const response = await asked().catch((error) => {
      // Work for a caller who has left ends by rejecting, and no answer would reach anybody.
      if (connection.isClosed?.() !== true) options.reportFault?.(error, 'answer');
      return new Response(null, { status: 500 });
    });
    if (isEventStream(response) && !outgoing.closed) heartbeats.watch(outgoing);
    return response;
  });
  const answerOrRefuse = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const connection = connectionOf(incoming.socket);
    const { headers, url: target = '' } = incoming;
    const address =
      headers.host === undefined
        ? undefined
        : readAddress({ encrypted: connection.encrypted, target, host: headers.host });
    if (address === undefined || !isKnownCoding(headers)) {
      const error = address === undefined ? noAddress() : unknownCoding(headers);
      return answerLast(outgoing, refuse(error, connection));
    }
    const whenReceived = tellReceived(incoming, outgoing);
    const read = { connection, address, whenReceived };
    if (answerDirectly?.(incoming, outgoing, read)) return undefined;
    readBefore.set(incoming, read);
    // As it was read, so that the adapter reads nothing else out of it.
    incoming.url = address.href;
    return answerByFetch(incoming, outgoing);
  };
  const answer: RequestListener = (incoming, outgoing) =>
    connections.answerInTurn(incoming.socket, {
      response: outgoing,
      begin: () => lastCatch('request', outgoing, () => answerOrRefuse(incoming, outgoing)),
      isLast: isEndInDoubt(incoming),
    });

  const settings: HttpOptions = {
    headersTimeout: headersMs,
    requestTimeout: headersMs + requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: Math.min(headersMs, 1_000),
    maxHeaderSize: headerBytes,
    // Joined as in the web's `Headers`, so that a second one is never dropped silently.
    joinDuplicateHeaders: true,
    optimizeEmptyRequests: true,
    // A request without one is refused above, with the headers of every answer.
    requireHostHeader: false,
  };
  const server =
    tls === undefined
      ? createHttpServer(settings, answer)
      : createHttpsServer({ ...settings, ...(await secure(tls, handshakeMs)) }, answer);
  // RFC 9110 section 10.1.1 leaves it open whether an unknown expectation is refused.
  server.on('checkExpectation', answer);
  server.timeout = answerMs;
  const connections = trackConnections(server, {
    clock: options.clock,
    lastCatch,
    admit: admitConnections(options.trustedProxies ?? [], options.mostConnections),
    idleMs,
  });
  const limits = { headerBytes, headersMs, requestMs };
  answerUnread(server, { refuse, connectionOf, connections, limits, lastCatch });
  return { server, connections };
}

async function secure(tls: TlsFiles, handshakeTimeout: number) {
  return { ...(await readTlsFiles(tls)), handshakeTimeout, minVersion: 'TLSv1.2' } as const;
}

function answerLast(outgoing: ServerResponse, refusal: ReturnType<RefuseUnread>): undefined {
  outgoing.writeHead(refusal.status, lastHeaders(refusal)).end(refusal.body);
}

/**
 * Whether nobody can say what follows a request (F79). After one that asks for an upgrade Node.js drops what came with it, and reads
 * the rest as requests. HTTP/1.0 has no transfer codings, so somebody before us may have read the body by another length.
 */
function isEndInDoubt({ headers, httpVersion }: IncomingMessage): boolean {
  const wantsUpgrade = headers.upgrade !== undefined && /upgrade/i.test(headers.connection ?? '');
  const isOldAndCoded = httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
  return wantsUpgrade || isOldAndCoded || !isKnownCoding(headers);
}

function isKnownCoding({ 'transfer-encoding': coding }: IncomingHttpHeaders): boolean {
  return coding === undefined || coding.toLowerCase() === 'chunked';
}

/** Of a request without a body Node.js tells neither its end nor its close, so the end of its answer counts as well (F60). */
function tellReceived(incoming: IncomingMessage, outgoing: ServerResponse) {
  return (done: () => void, came?: (bytes: number) => void): void => {
    incoming.once('end', done).once('close', done);
    outgoing.once('close', done);
    if (came !== undefined) hearParts(incoming, came);
  };
}

/** A listener for `data` would make a body flow before anybody reads it, so this hears what Node.js puts in. */
function hearParts(incoming: IncomingMessage, came: (bytes: number) => void): void {
  const push = incoming.push.bind(incoming);
  came(incoming.readableLength);
  incoming.push = (chunk: Buffer | null, encoding) => {
    if (chunk !== null) came(chunk.length);
    return push(chunk, encoding);
  };
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

const refuseBare: RefuseUnread = ({ code }) => ({
  status: unreadErrorStatus[code],
  headers: {},
  body: '',
});

function noAddress(): UnreadError {
  return new UnreadError(
    'MALFORMED_REQUEST',
    'The request does not say which address it is for: send one Host header and a path that a URL can have.',
  );
}

function unknownCoding({ 'transfer-encoding': coding = '' }: IncomingHttpHeaders): UnreadError {
  return new UnreadError(
    'UNKNOWN_TRANSFER_CODING',
    `This server does not know the transfer coding "${coding.slice(0, 255)}": send the body with "chunked" alone, or with its length.`,
  );
}

/** Returns the same object for all requests of a connection, so that others can cache facts by it. */
function rememberConnections(encrypted: boolean): (socket: Socket) => Connection {
  const connections = new WeakMap<Socket, Connection>();
  return (socket) => {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const { remoteAddress } = socket;
    // A caller that has ended its side has left: Node.js ends the connection, then destroys it.
    const isClosed = () => socket.destroyed || socket.readableEnded;
    const close = () => void socket.destroy();
    const connection =
      remoteAddress === undefined
        ? { encrypted, isClosed, close }
        : { encrypted, isClosed, close, remoteAddress };
    connections.set(socket, connection);
    return connection;
  };
}

/** Paths of PEM files: the certificate with its chain, and its private key. */
type TlsFiles = { readonly certPath: string; readonly keyPath: string };

/** Reads both files and proves that they belong together. Throws `TLS_FILES_UNUSABLE`. */
export async function readTlsFiles({ certPath, keyPath }: TlsFiles) {
  try {
    const [cert, key] = await Promise.all([readFile(certPath), readFile(keyPath)]);
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (cause) {
    throw new ListenerError(
      'TLS_FILES_UNUSABLE',
      `The certificate ${certPath} and the key ${keyPath} cannot be used together: TRADEWIND_TLS_CERT and TRADEWIND_TLS_KEY must name readable PEM files of one pair.`,
      { cause },
    );
  }
}

type ListenerErrorCode =
  | 'PLAIN_HTTP_REFUSED'
  | 'HOST_UNKNOWN'
  | 'PORT_IN_USE'
  | 'PORT_FORBIDDEN'
  | 'ADDRESS_UNAVAILABLE'
  | 'TLS_FILES_UNUSABLE'
  | 'LISTEN_FAILED';

/** Why the server does not listen. Its reader is the operator: the message says which setting to change. */
export class ListenerError extends DomainError<ListenerErrorCode> {}
