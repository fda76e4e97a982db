import type { MatchedOperation } from '../../operations/index-operations.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Answer } from '../messages/answer.ts';
import type { Caller, Peer } from '../messages/connection.ts';
import { methodNotAllowed } from '../messages/edge-error.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';

/** A request for declared operations, which the edge has matched and guarded. */
export type OperationCall = {
  readonly request: Request;
  /** The operations at the path, one for each method. */
  readonly matched: readonly MatchedOperation[];
  /** What the edge knows of the request: the part of its context that services look at. */
  readonly context: CallContext;
};

export type CallContext = {
  readonly request: EdgeRequest;
  /** Absent for a request that was made inside the process. */
  readonly peer: Peer | undefined;
  readonly caller: Caller;
};

/** Answers the operations of a service. What it throws is refused by the edge. */
export type AnswerOperation = (call: OperationCall) => Promise<Response>;

/** The parts of a GET of an operation. It carries no token. */
export type DirectCall = {
  readonly matched: MatchedOperation;
  /** What follows the question mark. */
  readonly query: string;
  readonly context: CallContext;
  /** Fires when the caller hangs up. */
  readonly signal: AbortSignal;
};

/**
 * Operations that are called so often that the web's `Request` and `Response` would cost more than the answer. The
 * service's {@link AnswerOperation} gives the same answers; the edge chooses between the two.
 */
export type DirectOperations = {
  readonly operations: ReadonlySet<Operation>;
  /** What it throws is refused by the edge. */
  answer(call: DirectCall): Promise<Answer>;
};

/** The operation that a method asks for; HEAD asks for what GET gives. Throws `METHOD_NOT_ALLOWED`. */
export function chooseOperation(
  matched: readonly MatchedOperation[],
  { method, path }: { readonly method: string; readonly path: string },
): MatchedOperation {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const chosen = matched.find(({ operation }) => operation.method === wanted);
  if (chosen !== undefined) return chosen;
  const methods = matched.flatMap(({ operation }) =>
    operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
  );
  throw methodNotAllowed({ method, path }, methods);
}
