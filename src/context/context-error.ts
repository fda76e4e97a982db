import { DomainError } from '../kernel/model/domain-error.ts';

export type ContextErrorCode =
  | 'AMBIGUOUS_TOKEN'
  | 'NOT_A_PAIR'
  | 'TOO_MANY_WATCHES'
  | 'UNKNOWN_TOKEN';

/** The one error of this domain. Its message is for an agent that can correct its call. */
export class ContextError extends DomainError<ContextErrorCode> {}

type MessageRefusal = {
  readonly status?: number;
  /** Of JSON-RPC 2.0, section 5.1. */
  readonly code: number;
  /** What is wrong and the way out. */
  readonly message: string;
  /** The id of the refused message, if it has one that could be read. */
  readonly id?: string | number;
};

/** The answer to a message that no server of the protocol sees: an error of JSON-RPC. */
export function refuseMessage(refusal: MessageRefusal): Response {
  const { status = 200, code, message, id = null } = refusal;
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });
}
