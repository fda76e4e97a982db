import type { z } from 'zod';
import { headingOf } from '../../../kernel/operations/heading-of.ts';
import type { Operation, OperationMethod } from '../../../kernel/operations/operation.ts';
import type { EventsCaller } from '../../caller.ts';
import type { QuotaKind } from '../create-quotas.ts';

/** An operation of the interface: requests are routed and checked by it, and both documents are written from it. */
export type Method<
  Query extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodType = z.ZodType,
> = Operation<Query, Answer> & {
  readonly answer: { readonly schema: Answer };
  /** Which quota a call counts against (E6.6, E6.7). */
  readonly quota?: QuotaKind;
  /** It is no part of the public interface, whose clients see nothing of it in the discovery document (K12). */
  readonly isApart?: true;
};

type MethodDeclaration<Query extends z.ZodObject, Answer extends z.ZodType> = {
  /** As in the discovery document: `subscriptions.create`. */
  readonly id: string;
  readonly method: OperationMethod;
  /** With at most one variable. */
  readonly path: `/v1/${string}`;
  /** Its own query parameters; the standard ones are known to every method. */
  readonly parameters: Query;
  readonly headers?: z.ZodObject;
  /** Body and answer by their schemas, which carry an `id`. */
  readonly request?: z.ZodType;
  /** Media types of the body; JSON alone unless said otherwise. */
  readonly requestTypes?: readonly [string, ...string[]];
  readonly response: Answer;
  /** The media type of the answer where it is not JSON. */
  readonly responseType?: string;
  /** The HTTP status of its success, 200 unless said otherwise. */
  readonly status?: number;
  readonly bodyBytes?: number;
  readonly scopes: readonly string[];
  readonly quota?: QuotaKind;
  readonly isApart?: true;
  readonly description: string;
};

/** What every method may refuse with, by the HTTP status of the canonical ones (E8.15). */
const refusals = {
  400: 'INVALID_ARGUMENT or FAILED_PRECONDITION: details name every violation.',
  401: 'UNAUTHENTICATED: send a token.',
  403: 'PERMISSION_DENIED: the token lacks a scope, or the origin or host is not ours.',
  404: 'NOT_FOUND: there is no such resource of the caller.',
  409: 'ALREADY_EXISTS, or ABORTED by other changes at the same time.',
  413: 'INVALID_ARGUMENT: the body is too large.',
  429: 'RESOURCE_EXHAUSTED: Retry-After says how many seconds to wait.',
  501: 'UNIMPLEMENTED: the format in alt is not served.',
  503: 'UNAVAILABLE: the store does not answer; repeat it in a moment.',
  504: 'DEADLINE_EXCEEDED: the work took longer than a request may.',
};

/** Declares a method. Those that read a body of JSON need not say so. */
export function declareMethod<Query extends z.ZodObject, Answer extends z.ZodType>(
  declaration: MethodDeclaration<Query, Answer>,
): Method<Query, Answer> {
  const { request, requestTypes, response, responseType, status, ...rest } = declaration;
  return {
    ...rest,
    summary: headingOf(rest.description),
    ...(request ? { body: { types: requestTypes ?? ['application/json'], schema: request } } : {}),
    answer: {
      schema: response,
      ...(status === undefined ? {} : { status }),
      ...(responseType === undefined ? {} : { type: responseType }),
    },
    errors: refusals,
  };
}

/** A request as a method receives it: the caller is known and may call it, the query is checked. */
export type MethodCall<Query> = {
  readonly caller: EventsCaller;
  /** What the variable of the path stands for, decoded: `subscriptions/abc`; '' without one. */
  readonly name: string;
  readonly query: Query;
  /** The JSON body; `{}` where there is none. Throws `INVALID_ARGUMENT` for what is not JSON. */
  readBody(): Promise<unknown>;
  /** For what is neither: headers, bodies that are not JSON. */
  readonly request: Request;
  /** Fires when the caller has disconnected. */
  readonly signal: AbortSignal;
};

/** A method with what answers it. A plain object is written as JSON; a `Response` goes out as it is. */
export type ServedMethod = {
  readonly method: Method;
  answer(call: MethodCall<Record<string, unknown>>): Promise<object | Response>;
};

/** Joins a method and its answer, so that the answer gets the query by its schema's type. */
export function serveMethod<Query extends z.ZodObject>(
  method: Method<Query>,
  answer: (call: MethodCall<z.output<Query>>) => Promise<object | Response>,
): ServedMethod {
  // The query handed to it was parsed by the schema of this same method.
  return { method, answer: (call) => answer(call as MethodCall<z.output<Query>>) };
}
