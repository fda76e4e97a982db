import type { IncomingHttpHeaders } from 'node:http';
import type { Context, Hono } from 'hono';
import type { Span } from '../telemetry/trace.ts';
import type { Answer } from './answer.ts';
import type { AnswerOperation, DirectOperations } from './index-operations.ts';
import type { Service } from './operation.ts';
import type { OwnedPath, PathPolicy, WriteRefusal } from './paths.ts';
import type { Caller, Connection, EdgeRequest, Peer, RequestAddress } from './request.ts';

/** A service on the edge: what it serves, the paths it owns, and how refusals on those are written. */
export type Mount = {
  app?: Hono<EdgeEnv>;
  /** Endpoints that are called so often that they are served without the app. */
  endpoints?: readonly Endpoint[];
  /**
   * By pattern as Hono writes it; `/v1/subscriptions/*` includes `/v1/subscriptions`. Where several
   * patterns fit, the first decides.
   */
  paths: Readonly<Record<string, PathPolicy>>;
  writeRefusal?: WriteRefusal;
  /** The declared operations, from which the server describes itself. */
  service?: Service;
  /** Answers the operations of the service. Without it the app and the endpoints do. */
  answer?: AnswerOperation;
  /** Of these operations, those that are called so often that they are served without the app. */
  direct?: DirectOperations;
};

/** A request that passed the guards. */
export type EndpointCall = {
  readonly request: EdgeRequest;
  readonly caller: Caller;
  /** Whether a web page of another origin sent it, which must not act without a person (N2). */
  readonly isForeignPage: boolean;
  /** As text; empty where there is none. */
  readonly body: string;
};

/**
 * One method of one path as a plain function, for what is called so often that the web's `Request`
 * and `Response` would cost more than the answer. It answers no pages and no streams. What it throws
 * is refused by the edge.
 */
export type Endpoint =
  | {
      readonly method: 'GET';
      /** As Hono writes patterns, and one of the paths that the mount owns. */
      readonly path: string;
      /** The answer to a GET is ready in memory: no body is read, and nothing is awaited. */
      answer(call: EndpointCall): Answer;
    }
  | {
      readonly method: 'POST';
      readonly path: string;
      answer(call: EndpointCall): Answer | Promise<Answer>;
    };

/** Converts a request of Hono to the call of an endpoint. Reads the body. */
export async function callOf(c: Context<EdgeEnv>): Promise<EndpointCall> {
  const { request, caller, isForeignPage } = c.get('context');
  return { request, caller, isForeignPage, body: await c.req.text() };
}

/** What every service mounted on the edge finds in its Hono context. */
export type EdgeEnv = {
  /** What the listener has read; absent if the app was called inside the process, as in tests. */
  Bindings: {
    connection?: Connection;
    headers?: IncomingHttpHeaders;
    address?: RequestAddress;
    whenReceived?: EdgeRequest['whenReceived'];
  };
  Variables: { context: RequestContext };
};

/** A request from its arrival to its line in the log. */
export type RequestContext = {
  readonly request: EdgeRequest;
  readonly requestId: string;
  /** Absent for a request that was made inside the process. */
  readonly peer: Peer | undefined;
  readonly caller: Caller;
  /** Whether a web page of another origin sent it, which must not act without a person (N2). */
  readonly isForeignPage: boolean;
  /** Absent where nobody owns the path. */
  readonly owned: OwnedPath | undefined;
  /** In milliseconds since the Unix epoch. */
  readonly start: number;
  /** The span of this request, if traces are recorded. */
  readonly span: Span | undefined;
  /** Set by the gate when it has let the request pass. */
  hasPassed: boolean;
  /** Set by the gate when the request leaves it. */
  isAnswered: boolean;
};
