import type { MatchedOperation } from '../operations/index-operations.ts';
import type { Caller, Peer } from './connection.ts';
import { EdgeError } from './edge-error.ts';
import type { EdgeRequest } from './edge-request.ts';

/** A request for declared operations, which the edge has matched and guarded. */
export type OperationCall = {
  readonly request: Request;
  /** The operations at the path, one for each method. */
  readonly matched: readonly MatchedOperation[];
  /** What the edge knows of the request: the part of its context that services look at. */
  readonly context: OperationContext;
};

export type OperationContext = {
  readonly request: EdgeRequest;
  /** Absent for a request that was made inside the process. */
  readonly peer: Peer | undefined;
  readonly caller: Caller;
};

/** Answers the operations of a service. What it throws is refused by the edge. */
export type AnswerOperation = (call: OperationCall) => Promise<Response>;

/** The operation that a method asks for; HEAD asks for what GET gives. Throws `METHOD_NOT_ALLOWED`. */
export function chooseOperation(
  matched: readonly MatchedOperation[],
  { method, path }: { readonly method: string; readonly path: string },
): MatchedOperation {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const chosen = matched.find(({ operation }) => operation.method === wanted);
  if (chosen !== undefined) return chosen;
  const Allow = matched
    .flatMap(({ operation }) => (operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method))
    .join(', ');
  const message = `${path.slice(0, 200)} does not answer ${method}: use ${Allow}.`;
  throw new EdgeError('METHOD_NOT_ALLOWED', message, { headers: { Allow } });
}
