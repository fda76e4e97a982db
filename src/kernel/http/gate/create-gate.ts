import type { Network } from '../../network/network.ts';
import type { Random } from '../../random/random.ts';
import type { Clock } from '../../time/clock.ts';
import type { Tracer } from '../../trace/tracer.ts';
import type { ForwardingHeader } from '../caller/forwarded-addresses.ts';
import { identifyCaller } from '../caller/identify-caller.ts';
import type { RefuseUnread } from '../listener/answer-unread.ts';
import { unreadErrorStatus } from '../listener/unread-error.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';
import { type HeaderList, setHeaders } from '../messages/header-list.ts';
import { type DirectPath, indexPaths } from '../mount/index-paths.ts';
import type { Mount } from '../mount/mount.ts';
import type { RequestContext } from '../mount/request-context.ts';
import { checkHost } from './check-host.ts';
import { createEnvelope } from './create-envelope.ts';
import { guardPath } from './guard-path.ts';
import { holdBodies } from './hold-bodies.ts';
import { identifyRequest } from './identify-request.ts';
import { type EdgeLogger, logAccess, type RequestObservation } from './log-access.ts';
import { foreignPages } from './origins/foreign-pages.ts';
import { refuseRequests } from './refuse-requests.ts';
import { requireTls } from './require-tls.ts';
import { securityHeaders } from './security-headers.ts';

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
