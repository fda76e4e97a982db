import type { IncomingMessage } from 'node:http';
import type { HeaderList } from '../../src/kernel/edge/answer.ts';
import { identifyCaller } from '../../src/kernel/edge/caller.ts';
import { holdBodies } from '../../src/kernel/edge/gate/bodies.ts';
import {
  checkHost,
  guardPath,
  identifyRequest,
  securityHeaders,
} from '../../src/kernel/edge/gate/create-gate.ts';
import {
  type EdgeLogger,
  logAccess,
  type RequestObservation,
} from '../../src/kernel/edge/gate/log-access.ts';
import { foreignPages } from '../../src/kernel/edge/gate/origins.ts';
import type { ReadRequest } from '../../src/kernel/edge/listener/create-server.ts';
import type { RequestContext } from '../../src/kernel/edge/mount.ts';
import type { OwnedPath, PathPolicy } from '../../src/kernel/edge/paths.ts';
import { type EdgeRequest, readHeader } from '../../src/kernel/edge/request.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { systemClock as clock } from '../../src/kernel/wait/clock.ts';

const publicUrl = new URL('http://localhost:8787');

/** A logger that writes nothing, so that writing is measured nowhere. */
export const silentLogger: EdgeLogger = { debug: () => {}, info: () => {}, error: () => {} };

export type StepsOptions = {
  readonly logger?: EdgeLogger;
  readonly observeRequest?: (observation: RequestObservation) => void;
};

/**
 * What the gate of the edge does for a request, in the same functions, for a server that has found the route itself.
 * The gate of the product finds the owner of a path too, which would be done twice here.
 */
export function createSteps(options: StepsOptions = {}) {
  const requestIdOf = identifyRequest(systemRandom);
  const identify = identifyCaller([]);
  const isForeignPage = foreignPages({ publicUrl });
  const checkName = checkHost(publicUrl, 'x-forwarded-for');
  const security = securityHeaders(publicUrl);
  const holdBody = holdBodies();
  const log = logAccess({ logger: silentLogger, clock, ...options });
  return {
    /** Finds the caller. Refuses nothing. */
    enter(request: EdgeRequest, owned: OwnedPath): RequestContext {
      const { peer, caller } = identify(request);
      return {
        request,
        requestId: requestIdOf(request),
        peer,
        caller,
        isForeignPage: isForeignPage(request),
        owned,
        start: clock.now(),
        span: undefined,
        hasPassed: true,
        isAnswered: false,
      };
    },
    /** Throws an `EdgeError` for a request that no service should see. */
    check(context: RequestContext): void {
      const { request, peer, owned } = context;
      checkName(request, peer);
      owned?.guard.checkOrigin?.(request);
      holdBody(context);
    },
    headersFor({ request, requestId, owned }: RequestContext): HeaderList {
      const readable = owned?.guard.allowOrigins?.(request) ?? [];
      return [...security, ...readable, 'X-Request-Id', requestId];
    },
    leave(context: RequestContext, route: string, status: number): void {
      context.isAnswered = true;
      log(context, { route, status });
    },
  };
}

/** The owner of a path by its policy. */
export function ownedAt(pattern: string, policy: PathPolicy = { origins: 'any' }): OwnedPath {
  const guard = guardPath({ policy, publicUrl, allowedOrigins: [] });
  return { pattern, policy, guard, writeRefusal: undefined };
}

/** The view of a request that the rules read. */
export function viewOf(incoming: IncomingMessage, read: ReadRequest): EdgeRequest {
  const { method = '', headers } = incoming;
  const { connection, address, whenReceived } = read;
  return {
    method,
    path: address.pathname,
    address,
    connection,
    whenReceived,
    header: (name) => readHeader(headers, name),
    isAborted: () => connection.isClosed?.() ?? false,
  };
}
