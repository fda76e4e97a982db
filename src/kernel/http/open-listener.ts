import { lookup } from 'node:dns/promises';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import type { Clock } from '../clock.ts';
import { isLoopbackHost } from '../network/is-loopback-host.ts';
import type { Network } from '../network/network.ts';
import type { AnswerDirectly } from './answer-directly.ts';
import type { Connection } from './connection.ts';
import type { EdgeEnv } from './edge-env.ts';
import { explainListenFailure } from './explain-listen-failure.ts';
import { ListenerError } from './listener-error.ts';
import { readTlsFiles, type TlsFiles } from './read-tls-files.ts';
import { trackConnections } from './track-connections.ts';

export type ListenerOptions = {
  fetch: (request: Request, env: EdgeEnv['Bindings']) => Response | Promise<Response>;
  /** Is asked first; what it leaves goes to `fetch`. */
  answerDirectly?: AnswerDirectly;
  /** Answers what is HTTP and yet has no address that could be given to `fetch`. */
  answerUnreadable?: () => Response;
  host: string;
  /** 0 lets the system choose. */
  port: number;
  tls?: TlsFiles;
  trustedProxies: readonly Network[];
  clock: Clock;
  timeouts?: Partial<ListenerTimeouts>;
};

/** How long a caller may take, in milliseconds. None of them counts against the answer, so streams may last. */
export type ListenerTimeouts = {
  /** From the connection, or the request before, to the end of the headers. */
  headersMs: number;
  /** From there to the end of the body. */
  requestMs: number;
  /** Between two requests on one connection. */
  idleMs: number;
};

const defaultTimeouts: ListenerTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  // A little longer than the 60 s after which common proxies drop an idle connection: the side that
  // might still send on it should be the one to close it.
  idleMs: 65_000,
};

export type Listener = {
  /** Where it listens, with the port the system chose. */
  readonly url: string;
  readonly port: number;
  /** Reads the certificate and key again, for connections made from now on. */
  reloadTls(): Promise<void>;
  /**
   * Stops accepting, lets running requests finish for at most `drainMs`, then cuts what is left.
   * A request that arrives meanwhile on an open connection is still answered, as its last.
   */
  close(drainMs: number): Promise<void>;
};

/**
 * Serves `fetch` over HTTP, or HTTPS from a certificate and key. Refuses plain HTTP on an address
 * other than loopback unless a proxy that ends TLS is declared (S13), whatever name the address was
 * given by. Callers that are slow, idle or send headers above 16 KiB are cut off below the app.
 *
 * Throws {@link ListenerError}.
 */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { host, port, tls, trustedProxies, clock } = options;
  const address = await addressOf(host);
  if (tls === undefined && !isLoopbackHost(address) && trustedProxies.length === 0) {
    throw new ListenerError(
      'PLAIN_HTTP_REFUSED',
      `Refusing plain HTTP on ${host}, which others can reach: tokens would travel in the clear. Listen on 127.0.0.1 (TRADEWIND_HOST), serve TLS (TRADEWIND_TLS_CERT and TRADEWIND_TLS_KEY), or name the proxy that ends TLS (TRADEWIND_TRUSTED_PROXY).`,
    );
  }
  const server = await createServer(options);
  const drain = trackConnections(server);
  await listen(server, { address, host, port });
  // A listening TCP server has this form of address.
  const bound = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${name}:${bound.port}`,
    port: bound.port,
    async reloadTls() {
      if (tls === undefined || !('setSecureContext' in server)) return;
      server.setSecureContext(await readTlsFiles(tls));
    },
    async close(drainMs) {
      const closed = drain.start();
      const finished = new AbortController();
      await Promise.race([closed, clock.sleep(drainMs, finished.signal)]);
      finished.abort();
      drain.cut();
      await closed;
    },
  };
}

/** Resolved here and not by the server, so that the address judged is the address listened on. */
async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch (cause) {
    throw new ListenerError(
      'HOST_UNKNOWN',
      `Cannot listen on "${host}", which is neither an address nor a name this machine can resolve: set TRADEWIND_HOST to an address of this machine.`,
      { cause },
    );
  }
}

async function createServer(options: ListenerOptions) {
  const {
    fetch,
    answerDirectly,
    answerUnreadable = () => answerNothing(400),
    tls,
    timeouts,
  } = options;
  const { headersMs, requestMs, idleMs } = { ...defaultTimeouts, ...timeouts };
  const limits = {
    headersTimeout: headersMs,
    requestTimeout: headersMs + requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: Math.min(headersMs, 1_000),
    maxHeaderSize: 16 * 1024,
    // As the web joins them: a second one is never dropped unseen.
    joinDuplicateHeaders: true,
    optimizeEmptyRequests: true,
  };
  const connections = new WeakMap<Socket, Connection>();
  const encrypted = tls !== undefined;
  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const connection = describe(socket, encrypted);
    connections.set(socket, connection);
    return connection;
  };
  const answerByFetch = getRequestListener(
    (request, env) => {
      // Only HTTP/1.1 is served, so these are the bindings of its server.
      const { socket } = (env as HttpBindings).incoming;
      return fetch(request, { connection: connectionOf(socket) });
    },
    {
      errorHandler: (error) =>
        error instanceof RequestError ? answerUnreadable() : answerNothing(500),
    },
  );
  const answer: RequestListener = (incoming, outgoing) => {
    const isAnswered = answerDirectly?.(incoming, outgoing, connectionOf(incoming.socket));
    if (!isAnswered) void answerByFetch(incoming, outgoing);
  };
  if (tls === undefined) return createHttpServer(limits, answer);
  const files = await readTlsFiles(tls);
  const handshakeTimeout = headersMs;
  return createHttpsServer(
    { ...limits, ...files, handshakeTimeout, minVersion: 'TLSv1.2' },
    answer,
  );
}

const answerNothing = (status: number) => new Response(null, { status });

function describe({ remoteAddress }: Socket, encrypted: boolean): Connection {
  return remoteAddress === undefined ? { encrypted } : { encrypted, remoteAddress };
}

async function listen(server: Server, target: { address: string; host: string; port: number }) {
  const { address, host, port } = target;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, address, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (cause) {
    throw explainListenFailure(cause, { host, port });
  }
}
