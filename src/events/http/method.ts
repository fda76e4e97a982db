import type { z } from 'zod';
import type { EventsCaller } from '../caller.ts';

/**
 * A method of the interface, declared once: requests are routed and checked by it, and the discovery
 * document is written from it.
 */
export type Method = {
  /** As in the discovery document: `subscriptions.create`. */
  readonly id: string;
  readonly verb: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As google.api.http writes it: `v1/{name=subscriptions/*}:reactivate`. At most one variable. */
  readonly path: string;
  /** Its own query parameters; the standard ones are known to every method. */
  readonly query: z.ZodObject;
  /** Body and answer by their schemas, which carry an `id`. */
  readonly request?: z.ZodType;
  readonly response: z.ZodType;
  /** The HTTP status of its success, 200 unless said otherwise. */
  readonly status?: number;
  /** The caller needs one of these; none for what needs no token. */
  readonly scopes: readonly string[];
  /** Which quota a call counts against (E6.6, E6.7). */
  readonly quota?: 'reads' | 'writes';
  readonly description: string;
};

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
  /** Fires when the caller is gone. */
  readonly signal: AbortSignal;
};

/** A method with what answers it. A plain object is written as JSON; a `Response` goes out as it is. */
export type ServedMethod = {
  readonly method: Method;
  answer(call: MethodCall<Record<string, unknown>>): Promise<object | Response>;
};

/** Joins a method and its answer, so that the answer gets the query by its schema's type. */
export function serveMethod<M extends Method>(
  method: M,
  answer: (call: MethodCall<z.output<M['query']>>) => Promise<object | Response>,
): ServedMethod {
  // The query handed to it was parsed by the schema of this same method.
  return { method, answer: (call) => answer(call as MethodCall<z.output<M['query']>>) };
}
