/** Why an endpoint gave no answer that can be used. Other endpoints may still give one. */
export type EndpointFailure = {
  readonly reason: FailureReason;
  /** Safe to display: names no URL, since its path or query may hold a key. */
  readonly message: string;
  /** How long the endpoint asked to be left alone, or is to be left out at least, in milliseconds. */
  readonly retryAfterMs?: number;
};

export type FailureReason =
  /** No connection, or one that broke off. */
  | 'connection'
  | 'timeout'
  /** Another endpoint, asked later, was quicker. */
  | 'slow'
  /** An HTTP status that is not a success. */
  | 'status'
  | 'rate-limited'
  /** Not JSON-RPC, or not what was asked for. */
  | 'garbage'
  | 'wrong-chain'
  | 'lagging'
  | 'unknown-block'
  /** A JSON-RPC error that says nothing about the call itself. */
  | 'error';

export function isFailure(value: object): value is EndpointFailure {
  return 'reason' in value && 'message' in value;
}
