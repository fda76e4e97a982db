import { isLoopbackHost, type Network } from '../../model/network.ts';
import { drawHex, type Random } from '../../model/random.ts';
import type { Tracer } from '../../telemetry/trace.ts';
import type { Clock } from '../../wait/clock.ts';
import { type HeaderList, setHeaders, toResponse } from '../answer.ts';
import { type ForwardingHeader, forwardedFact, identifyCaller } from '../caller.ts';
import {
  createEnvelope,
  EdgeError,
  type Envelope,
  edgeErrorStatus,
  explainStoreFailure,
} from '../edge-error.ts';
import { edgeLimits } from '../limits.ts';
import { type RefuseUnread, unreadErrorStatus } from '../listener/answer-unread.ts';
import type { Mount, RequestContext } from '../mount.ts';
import { mistypedPage, prefersPage } from '../page.ts';
import { type DirectPath, indexPaths, type PathGuard, type PathPolicy } from '../paths.ts';
import { type EdgeRequest, hostNameOf, type Peer } from '../request.ts';
import { holdBodies, limitBody } from './bodies.ts';
import { type EdgeLogger, logAccess, type RequestObservation } from './log-access.ts';
import { allowOrigins, checkOrigin, foreignPages } from './origins.ts';

export type GateOptions = {
  publicUrl: URL;
  trustedProxies: readonly Network[];
  /** The header in which these proxies name the caller; `x-forwarded-for` unless said otherwise. */
  forwardingHeader?: ForwardingHeader;
  /** Origins, beside our own, whose pages may call paths with `origins: 'own'`. */
  allowedOrigins?: readonly string[];
  mounts: readonly Mount[];
  logger: EdgeLogger;
  clock: Clock;
  random: Random;
  /** Set if traces are recorded: each request is a span (T5). */
  tracer?: Tracer | undefined;
  observeRequest?: (observation: RequestObservation) => void;
};

/** The rules that every request meets, whichever way it comes in. */
export type Gate = {
  /** The operation at a path that is answered without the app, where there is one. */
  directAt(path: string): DirectPath | undefined;
  /** Finds the caller and the owner of the path. Refuses nothing. */
  enter(request: EdgeRequest): RequestContext;
  /** Throws an `EdgeError` for a request without TLS, for another host, from a forbidden page, or with too much to receive. */
  check(context: RequestContext): void;
  /** The headers that the answer carries beside its own. */
  headersFor(context: RequestContext): HeaderList;
  /**
   * Writes an error in the envelope of the service that owns the path, or as a page for a person who
   * mistyped an address. An error that no service handled is logged once, and none of its text is sent.
   */
  refuse(error: unknown, context: RequestContext): Promise<Response>;
  /** Writes the refusal of input that is no request, with the headers of every answer. Logs it as `debug`. */
  refuseUnread: RefuseUnread;
  /** Marks a request as answered and logs it, with the pattern of the route that answered. */
  leave(context: RequestContext, answered: { route: string; status: number }): void;
};

export function createGate(options: GateOptions): Gate {
  const { publicUrl, trustedProxies, allowedOrigins = [], mounts, logger, clock } = options;
  const { forwardingHeader = 'x-forwarded-for' } = options;
  const pathAt = indexPaths(mounts, (policy) => guardPath({ policy, publicUrl, allowedOrigins }));
  const requestIdOf = identifyRequest(options.random);
  const identify = identifyCaller(trustedProxies, forwardingHeader);
  const isForeignPage = foreignPages({ publicUrl, allowedOrigins });
  const checkTls =
    publicUrl.protocol === 'https:' ? requireTls(publicUrl, forwardingHeader) : undefined;
  const checkName = checkHost(publicUrl, forwardingHeader);
  const security = securityHeaders(publicUrl);
  const holdBody = holdBodies();
  const envelope = createEnvelope(clock);
  const log = logAccess(options);

  return {
    directAt: (path) => pathAt(path)?.served?.direct,
    enter(request) {
      const { peer, caller } = identify(request);
      return {
        request,
        requestId: requestIdOf(request),
        peer,
        caller,
        isForeignPage: isForeignPage(request),
        owned: pathAt(request.path),
        start: clock.now(),
        span: options.tracer?.begin('server', request.header('traceparent')),
        hasPassed: false,
        isAnswered: false,
      };
    },
    check(context) {
      const { request, peer, owned } = context;
      if (!owned?.policy.isProbe) {
        checkTls?.(request, peer);
        checkName(request, peer);
      }
      owned?.guard.checkOrigin?.(request);
      holdBody(context);
      context.hasPassed = true;
    },
    headersFor({ request, requestId, owned }) {
      const readable = owned?.guard.allowOrigins?.(request) ?? [];
      return [...security, ...readable, 'X-Request-Id', requestId];
    },
    refuse: refuseRequests({ logger, envelope }),
    refuseUnread(error, connection) {
      const requestId = requestIdOf({ header: () => undefined });
      const answer = envelope(error, unreadErrorStatus[error.code]);
      // At the level `debug`, since browsers open connections in advance and let them time out.
      logger.debug(
        {
          status: answer.status,
          reason: error.message,
          requestId,
          caller: connection?.remoteAddress,
        },
        'no request',
      );
      const headers = new Headers(answer.headers);
      setHeaders(headers, [...security, 'X-Request-Id', requestId]);
      return { ...answer, headers: Object.fromEntries(headers) };
    },
    leave(context, answered) {
      context.isAnswered = true;
      log(context, answered);
    },
  };
}

/** More than any request of an API whose bodies are forms, quotes and subscriptions. */
const defaultBodyLimit = edgeLimits.body.value;

/** The guards of a path: whose pages may call it and read the answer, and how much they may send. */
export function guardPath(options: {
  policy: PathPolicy;
  publicUrl: URL;
  allowedOrigins: readonly string[];
}): PathGuard {
  const { policy, publicUrl, allowedOrigins } = options;
  const { bodyLimit = defaultBodyLimit, origins = 'own' } = policy;
  const limit = { bodyLimit, limitBody: limitBody(bodyLimit) };
  if (origins === 'any') {
    return { ...limit, checkOrigin: undefined, allowOrigins: allowOrigins('*') };
  }
  const acceptNull = origins === 'own-or-null';
  return {
    ...limit,
    checkOrigin: checkOrigin({ publicUrl, allowedOrigins, acceptNull }),
    allowOrigins: allowedOrigins.length === 0 ? undefined : allowOrigins(allowedOrigins),
  };
}

/**
 * Refuses a request for a host that is not ours, the mark of DNS rebinding: a page of another site
 * whose name was pointed at this machine still sends that name. Ours are the host of the public URL
 * and, on connections from this machine, the loopback names. A declared proxy may name the host in
 * the header that the operator declared. Ports are not compared: rebinding works by the name alone, and port
 * forwarding changes ports. Throws `FORBIDDEN_HOST`.
 */
export function checkHost(
  publicUrl: URL,
  forwardingHeader: ForwardingHeader,
): (request: EdgeRequest, peer: Peer | undefined) => void {
  return (request, peer) => {
    const isOurs = (host: string | undefined) =>
      host === publicUrl.hostname ||
      (host !== undefined && peer?.isLocal === true && isLoopbackHost(host));
    const { hosts } = request.address;
    if (hosts.every(isOurs)) return;
    const forwarded = peer?.isProxy ? forwardedFact(request, forwardingHeader, 'host') : undefined;
    if (isOurs(hostNameOf(forwarded ?? ''))) return;
    throw new EdgeError(
      'FORBIDDEN_HOST',
      `This server does not answer for the host "${hosts.at(-1)?.slice(0, 255)}": call ${publicUrl.origin}, or set TRADEWIND_PUBLIC_URL to the address clients use.`,
    );
  };
}

/**
 * Enforces TLS on each request if the public URL is HTTPS (S13): the connection must be our own TLS,
 * or come from a declared proxy that does not say it was called over plain HTTP, or from this
 * machine. Without this check, a client that knows the internal address of a server behind a proxy
 * could send tokens in the clear. Throws `TLS_REQUIRED`.
 */
function requireTls(
  publicUrl: URL,
  forwardingHeader: ForwardingHeader,
): (request: EdgeRequest, peer: Peer | undefined) => void {
  return (request, peer) => {
    if (peer === undefined || request.connection?.encrypted) return;
    const proto = peer.isProxy ? forwardedFact(request, forwardingHeader, 'proto') : undefined;
    const isPlain = proto !== undefined && proto !== '' && proto.toLowerCase() !== 'https';
    if ((peer.isProxy || peer.isLocal) && !isPlain) return;
    throw new EdgeError(
      'TLS_REQUIRED',
      `This server answers over TLS only: call ${publicUrl.origin}, or declare the proxy that ends TLS in TRADEWIND_TRUSTED_PROXY.`,
    );
  };
}

/**
 * The headers of every answer (R1); HSTS only where the public URL is HTTPS. An answer that is not a
 * page may load nothing and be framed nowhere. `Cross-Origin-Opener-Policy` is left out on purpose: it
 * would cut a sign-in popup off from the window that opened it, where the client waits.
 */
export function securityHeaders(publicUrl: URL): HeaderList {
  return [
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'no-referrer',
    'Cross-Origin-Resource-Policy',
    'same-origin',
    'Content-Security-Policy',
    "default-src 'none'; frame-ancestors 'none'",
    ...(publicUrl.protocol === 'https:' ? strictTransport : []),
  ];
}

/** One year, the least that browsers' preload lists accept (hstspreload.org). */
const strictTransport = ['Strict-Transport-Security', 'max-age=31536000'];

/** What a caller may choose as an id: short, and unable to break out of a log line or a header. */
const acceptableId = /^[\w.-]{1,64}$/;

/**
 * Gives every request an id: the caller's `X-Request-Id` if it is acceptable, else one of ours. Ours
 * are a counter after a random name of this process: unique, but not secret.
 */
export function identifyRequest(random: Random): (request: Pick<EdgeRequest, 'header'>) => string {
  const processName = drawHex(random, 8);
  let count = 0;
  return (request) => {
    const offered = request.header('x-request-id');
    const isAcceptable = offered !== undefined && acceptableId.test(offered);
    return isAcceptable ? offered : `${processName}-${++count}`;
  };
}

/**
 * Writes an error in the envelope of the service that owns the path, or as a page for a person who
 * mistyped an address. An error that no service handled is logged once, and none of its text is sent.
 */
function refuseRequests(options: {
  readonly logger: EdgeLogger;
  readonly envelope: Envelope;
}): (error: unknown, context: RequestContext) => Promise<Response> {
  const { logger, envelope } = options;
  return async (error, context) => {
    const refusal = error instanceof EdgeError ? error : conceal(error, context, logger);
    const response = await write(refusal, context, envelope);
    for (const [name, value] of Object.entries(refusal.headers)) response.headers.set(name, value);
    return response;
  };
}

async function write(
  refusal: EdgeError,
  context: RequestContext,
  envelope: Envelope,
): Promise<Response> {
  const { request, owned } = context;
  const isMistyped = refusal.code === 'NOT_FOUND' || refusal.code === 'METHOD_NOT_ALLOWED';
  const response =
    isMistyped && prefersPage(request)
      ? await mistypedPage(refusal)
      : ((await owned?.writeRefusal?.(refusal, context)) ??
        toResponse(envelope(refusal, edgeErrorStatus[refusal.code])));
  // For caches: both statuses are cacheable by default (RFC 9110 section 15.1).
  if (isMistyped) response.headers.append('Vary', 'Accept');
  return response;
}

/** The refusal that hides an error which no service handled. */
function conceal(
  error: unknown,
  { request, requestId }: RequestContext,
  logger: EdgeLogger,
): EdgeError {
  if (request.isAborted()) {
    return new EdgeError(
      'REQUEST_ABORTED',
      'The connection closed before the request was complete.',
    );
  }
  const storeFailure = explainStoreFailure(error);
  if (storeFailure !== undefined) {
    logger.error({ err: error, requestId }, 'the database refused the work of a request');
    return storeFailure;
  }
  logger.error({ err: error, requestId }, 'unexpected error');
  return new EdgeError(
    'INTERNAL_ERROR',
    `Something went wrong on this server; its log says what under the request id ${requestId}.`,
    { cause: error },
  );
}
