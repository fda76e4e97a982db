import { z } from 'zod';
import { headingOf, type Operation, type OperationMethod } from '../../../kernel/edge/operation.ts';
import type { EventsCaller } from '../../model/caller.ts';
import type { QuotaKind } from '../create-quotas.ts';

/** An operation of the interface. It routes and checks requests, and both interface documents are generated from it. */
export type Method<
  Query extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodType = z.ZodType,
> = Operation<Query, Answer> & {
  readonly answer: { readonly schema: Answer };
  /** Which quota a call counts against (E6.6, E6.7). */
  readonly quota?: QuotaKind;
  /** Set if the method is not part of the public interface; the discovery document leaves it out (K12). */
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
  /** Media types of the body; defaults to JSON. */
  readonly requestTypes?: readonly [string, ...string[]];
  readonly response: Answer;
  /** The media type of the answer where it is not JSON. */
  readonly responseType?: string;
  /** The HTTP status of success; defaults to 200. */
  readonly status?: number;
  readonly bodyBytes?: number;
  readonly scopes: readonly string[];
  readonly quota?: QuotaKind;
  readonly isApart?: true;
  readonly description: string;
};

/** The errors that every method may answer, by the HTTP status of their canonical codes (E8.15). */
const refusals = {
  400: 'INVALID_ARGUMENT or FAILED_PRECONDITION: details name every violation.',
  401: 'UNAUTHENTICATED: send a token.',
  403: 'PERMISSION_DENIED: the token lacks a scope, or the origin or host is not ours.',
  404: 'NOT_FOUND: there is no such resource of the caller.',
  409: 'ALREADY_EXISTS, or ABORTED by other changes at the same time.',
  413: 'INVALID_ARGUMENT: the body is too large.',
  429: 'RESOURCE_EXHAUSTED: Retry-After says how many seconds to wait.',
  501: 'UNIMPLEMENTED: the format in alt is not served.',
  503: 'UNAVAILABLE: the store does not answer; repeat the request in a moment.',
  504: 'DEADLINE_EXCEEDED: the work took longer than a request may.',
};

/** Declares a method. The media type of its body defaults to JSON. */
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
  /** The value of the path's variable, decoded: `subscriptions/abc`; '' if the path has none. */
  readonly name: string;
  readonly query: Query;
  /** The JSON body; `{}` where there is none. Throws `INVALID_ARGUMENT` for what is not JSON. */
  readBody(): Promise<unknown>;
  /** For everything else: headers, and bodies that are not JSON. */
  readonly request: Request;
  /** Fires when the caller has disconnected. */
  readonly signal: AbortSignal;
};

/** A method with its handler. A plain object is written as JSON; a `Response` is sent unchanged. */
export type ServedMethod = {
  readonly method: Method;
  answer(call: MethodCall<Record<string, unknown>>): Promise<object | Response>;
};

/** Joins a method and its handler, so that the handler gets the query with the type of its schema. */
export function serveMethod<Query extends z.ZodObject>(
  method: Method<Query>,
  answer: (call: MethodCall<z.output<Query>>) => Promise<object | Response>,
): ServedMethod {
  // The query handed to it was parsed by the schema of this same method.
  return { method, answer: (call) => answer(call as MethodCall<z.output<Query>>) };
}

// Kinds of query parameters, which arrive as text.

/** The texts `true` and `false` (E7.13). */
export const queryFlag = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true')
  .meta({ type: 'boolean' });

const int32Expected = 'must be a whole number that 32 bits can hold';
export const queryInt32 = z
  .string()
  .regex(/^-?\d+$/, int32Expected)
  .transform(Number)
  .pipe(z.int32(int32Expected))
  .meta({ type: 'integer', format: 'int32' });

export const queryText = z.string();

/** Of a method with no parameters of its own. */
export const noQuery = z.object({});
