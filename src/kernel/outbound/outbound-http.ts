import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { Network } from '../model/network.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type Bag, createBag } from '../wait/bag.ts';
import { onAbort } from '../wait/cancel.ts';
import type { Clock } from '../wait/clock.ts';
import { createDeadlines, type Deadlines } from '../wait/deadline.ts';
import { Exchange, type OutboundResponse } from './exchange.ts';
import {
  guardAddresses,
  logRefusal,
  OutboundError,
  parseOutboundUrl,
  type Resolve,
} from './guard-addresses.ts';

export type OutboundRequest = {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** For a URL that is called often, pass the result of `parseOutboundUrl`. */
  url: string | URL;
  /** Not `Host`: that is taken from the URL, and TLS verifies it. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
  /** For all of it: name resolution, connecting, waiting in the queue, sending, and the answer. */
  timeoutMs?: number;
  maxResponseBytes?: number;
  /**
   * Only status and headers matter: the request resolves as soon as they arrive, without the body. The body
   * may be slow, incomplete or too large; the connection is reused if the body ends within a second.
   */
  isBodyIgnored?: boolean;
  /** How many bytes of an ignored body are kept as they arrive; none by default. */
  keptBytes?: number;
  /** The receiver treats repeated requests as one, so this one may be pipelined and retried. */
  idempotent?: boolean;
};

export type OutboundLimits = {
  timeoutMs: number;
  connectTimeoutMs: number;
  maxResponseBytes: number;
  /** Requests to an origin beyond this number times `pipelining` wait for one of its connections. */
  connectionsPerOrigin: number;
  /** How many idempotent requests may be under way on one connection. */
  pipelining: number;
  /** How long an unused connection is kept. */
  idleMs: number;
};

const defaultLimits: OutboundLimits = {
  timeoutMs: 10_000,
  connectTimeoutMs: 5_000,
  maxResponseBytes: 64 * 1024,
  connectionsPerOrigin: 16,
  pipelining: 1,
  idleMs: 10_000,
};

/** How long a body that nobody waits for may keep its connection. */
const ignoredBodyMs = 1_000;

export type OutboundHttp = {
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /** Waits for running requests, then closes the connections. */
  close(): Promise<void>;
};

/**
 * The one client for addresses that users give. It calls only public addresses and explicitly allowed
 * networks, at any port, however the URL spells the host and whatever its name resolves to. It
 * follows no redirect and verifies certificates. It bounds the size, the time and the number of
 * connections for each origin, which it keeps alive. It does not decompress bodies.
 *
 * `request` throws {@link OutboundError}, and the reason of its signal when that fires.
 */
export function createOutboundHttp(options: {
  allowNetworks: readonly Network[];
  clock: Clock;
  limits?: Partial<OutboundLimits>;
  resolve?: Resolve;
  /** PEM certificates to trust instead of the system's. */
  certificateAuthorities?: string;
  /** Told which kind of address was refused. */
  logger?: Pick<Logger, 'warn'>;
}): OutboundHttp {
  const { allowNetworks, clock, resolve = resolveBySystem, certificateAuthorities } = options;
  const { logger } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const { connectTimeoutMs } = limits;
  const agent = new Agent({
    connect: guardConnections({
      resolve,
      allowNetworks,
      connectTimeoutMs,
      certificateAuthorities,
      logger,
    }),
    connections: limits.connectionsPerOrigin,
    pipelining: limits.pipelining,
    keepAliveTimeout: limits.idleMs,
    keepAliveMaxTimeout: limits.idleMs,
    maxHeaderSize: 16 * 1024,
    // One deadline covers the whole request; these would restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const deadlines = createDeadlines(clock);
  const underWayOf = createSignalGroups();
  const targetOf = createTargets();

  return {
    async request(request) {
      const { method, url, headers = {}, body = '', signal } = request;
      const { timeoutMs = limits.timeoutMs } = request;
      signal?.throwIfAborted();
      const { origin, path } =
        typeof url === 'string' ? toTarget(parseOutboundUrl(url)) : targetOf(url);
      const exchange = new Exchange({
        origin,
        maxResponseBytes: request.maxResponseBytes ?? limits.maxResponseBytes,
        isBodyIgnored: request.isBodyIgnored ?? false,
        keptBytes: request.keptBytes ?? 0,
        isBodyless: method === 'HEAD',
      });
      const pass = () => exchange.abort(timedOut(origin, timeoutMs));
      const deadline = deadlines.add(timeoutMs, pass);
      const underWay = signal && underWayOf(signal);
      const held = underWay?.add(exchange);
      const pipelined = request.idempotent === true ? { idempotent: true, blocking: false } : {};
      agent.dispatch({ origin, path, method, headers, body, ...pipelined }, exchange);
      try {
        return await exchange.response;
      } finally {
        deadlines.delete(deadline);
        if (held !== undefined) underWay?.delete(held);
        if (!exchange.isOver) readOut(exchange, deadlines);
      }
    },
    close: () => agent.close(),
  };
}

/** Gives an ignored body a moment to end, and then closes its connection. */
function readOut(exchange: Exchange, deadlines: Deadlines): void {
  const end = () => exchange.abort(new Error('The body took too long and is not needed.'));
  const deadline = deadlines.add(ignoredBodyMs, end);
  exchange.onOver = () => deadlines.delete(deadline);
}

type Target = { readonly origin: string; readonly path: string };

function toTarget({ origin, pathname, search }: URL): Target {
  return { origin, path: pathname + search };
}

/** Reads each URL once, since a `URL` builds its parts anew at every access. */
function createTargets(): (url: URL) => Target {
  const known = new WeakMap<URL, Target>();
  return (url) => {
    const target = known.get(url) ?? toTarget(url);
    known.set(url, target);
    return target;
  };
}

/** One listener per signal: adding and removing one for each request would cost more than sending it. */
function createSignalGroups(): (signal: AbortSignal) => Bag<Exchange> {
  const groups = new WeakMap<AbortSignal, Bag<Exchange>>();
  return (signal) => {
    const known = groups.get(signal);
    if (known !== undefined) return known;
    const group = createBag<Exchange>();
    groups.set(signal, group);
    onAbort(signal, () => {
      for (const { item } of group.all()) item.abort(signal.reason);
    });
    return group;
  };
}

function timedOut(origin: string, timeoutMs: number): OutboundError {
  return new OutboundError('TIMED_OUT', `${origin} did not answer in full within ${timeoutMs} ms.`);
}

const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * Opens connections only to addresses that the guard allows. The socket itself resolves a name, once,
 * through our lookup: the addresses checked are the addresses it connects to, so DNS rebinding gets
 * no second lookup. TLS verifies the name, not the address.
 */
function guardConnections(options: {
  resolve: Resolve;
  allowNetworks: readonly Network[];
  connectTimeoutMs: number;
  certificateAuthorities: string | undefined;
  logger: Pick<Logger, 'warn'> | undefined;
}): buildConnector.connector {
  const refuse = (error: Error) => {
    logRefusal(options.logger, error);
    return error;
  };
  const lookup: LookupFunction = (hostname, _options, callback) => {
    guardAddresses(hostname, options).then(
      (addresses) => {
        const all = addresses.map((address) => ({ address, family: isIP(address) }));
        callback(null, all);
      },
      (error) => callback(refuse(error), []),
    );
  };
  const connect = buildConnector({
    lookup,
    // Makes the socket ask for all addresses, and try the next where one does not answer (RFC 8305).
    autoSelectFamily: true,
    timeout: options.connectTimeoutMs,
    allowH2: false,
    ...(options.certificateAuthorities === undefined ? {} : { ca: options.certificateAuthorities }),
  });
  return (target, callback) => {
    const open = () =>
      connect(target, (...[error, socket]) =>
        error === null ? callback(null, skipInformational(socket)) : callback(error, null),
      );
    if (isIP(target.hostname) === 0) return open();
    // A socket does no lookup for a literal address.
    guardAddresses(target.hostname, options).then(open, (error) => callback(refuse(error), null));
  };
}

/** All 1xx but 101, which we never ask for and the HTTP client refuses. */
const informational = /^HTTP\/1\.[01] 1(?:0[02-9]|[1-9]\d)/;
const statusLength = 'HTTP/1.1 100'.length;
const firstDigit = '1'.charCodeAt(0);
const endOfHeaders = '\r\n\r\n';
/** Bytes. A longer one is passed on as it is, and the HTTP client refuses it. */
const longestInformational = 16 * 1024;

/**
 * Removes informational responses from what a socket reads. A server may send them unasked and a client
 * ignores them (RFC 9110 section 15.2), but the HTTP client closes the connection on `100 Continue`. The first
 * read after a write is the start of a response, because a request waits for the answer to the previous one.
 * With pipelining, the middle of a body is inspected too, and changed only if it looks like such a response.
 */
function skipInformational<T extends Socket>(socket: T): T {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  let isStart = false;
  let held: Buffer | undefined;

  socket.write = ((...given: Parameters<typeof write>) => {
    isStart = true;
    return write(...given);
  }) as Socket['write']; // the overloads differ only in what may be left out

  socket.read = (size) => {
    for (;;) {
      const chunk: Buffer | null = read(size);
      if (chunk === null || !isStart) return chunk;
      const rest = behindInformational(held === undefined ? chunk : Buffer.concat([held, chunk]));
      held = isUndecided(rest) ? rest : undefined;
      if (held !== undefined) continue;
      isStart = false;
      return rest;
    }
  };
  return socket;
}

/** The bytes after all complete informational responses. */
function behindInformational(bytes: Buffer): Buffer {
  let rest = bytes;
  while (isInformational(rest)) {
    const end = rest.indexOf(endOfHeaders);
    if (end < 0) break;
    rest = rest.subarray(end + endOfHeaders.length);
  }
  return rest;
}

/** Whether more bytes are needed to tell what this is. */
function isUndecided(bytes: Buffer): boolean {
  if (bytes.length < statusLength) return 'HTTP/1.'.startsWith(bytes.toString('latin1', 0, 7));
  return isInformational(bytes) && bytes.length <= longestInformational;
}

function isInformational(bytes: Buffer): boolean {
  // This byte decides for nearly every answer, without decoding its beginning.
  if (bytes[statusLength - 3] !== firstDigit) return false;
  return informational.test(bytes.toString('latin1', 0, statusLength));
}
