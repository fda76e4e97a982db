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

export type RpcError = {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
};

type RpcErrorKind =
  /** The contract failed: every honest node says the same. */
  | 'execution'
  | 'unknown-block'
  | 'rate-limited'
  /** The batch or its answer exceeds what the node takes or sends. */
  | 'too-large'
  | 'invalid-params'
  | 'other';

/** The words that matter are in the first sentence; traces and copies of the request follow. */
const longestText = 1_000;
// Deeper than any node nests the bytes.
const deepestData = 8;

/**
 * What a JSON-RPC error means. Codes come first where EIP-1474 or the client gives them one meaning;
 * -32000 and the like can mean anything, so there the words decide. The words are those of go-ethereum,
 * Erigon, Nethermind, Besu, Reth, OpenEthereum, EDR and of public gateways. Only the beginning of the
 * message is searched: a hostile endpoint may send megabytes (F4).
 */
export function classifyRpcError({ code, message: text, data }: RpcError): RpcErrorKind {
  const message = text.slice(0, longestText);
  if (code === -32005 || code === 429 || rateLimited.test(message)) return 'rate-limited';
  // 3: go-ethereum and its kin for a revert; -32015: OpenEthereum's and Nethermind's VM error.
  if (code === 3 || code === -32015) return 'execution';
  if (tooLarge.test(message)) return 'too-large';
  if (unknownBlock.test(message) || code === -32001) return 'unknown-block';
  if (code === -32602) return 'invalid-params';
  if (execution.test(message) || (code === -32000 && isBytes(data))) return 'execution';
  return 'other';
}

/** The bytes a contract reverted with, however deep the node nests them; `0x` when there are none. */
export function revertData(data: unknown, depth = 0): `0x${string}` {
  if (typeof data === 'string') {
    // OpenEthereum writes "Reverted 0x…".
    const bytes = /0x[0-9a-f]*$/i.exec(data)?.[0];
    return isBytes(bytes) ? bytes : '0x';
  }
  if (typeof data !== 'object' || data === null || !('data' in data)) return '0x';
  return depth < deepestData ? revertData(data.data, depth + 1) : '0x';
}

// Gaps are bounded: with `.*` the matching time would grow with the square of the text's length.
const rateLimited =
  /rate.?limit|too many requests|request limit|requests? (?:count|per) .{0,100}exceeded|quota|throttl/i;
const tooLarge =
  /response (?:size|is too)|too large|batch .{0,100}(?:limit|too|exceed|max)|max(?:imum)? batch|exceeds? .{0,100}size|query timeout|execution aborted \(timeout/i;
const unknownBlock =
  /header not found|header for hash|unknown block|block .{0,100}not (?:found|available)|cannot find block|not currently canonical|missing trie node|no state (?:available|found)|state .{0,100}not available|invalid block tag|pruned|resource not found|block range extends beyond/i;
const execution =
  /revert|out of ?gas|OutOfGas|invalid opcode|opcode|stack (?:under|over)flow|StackUnderflow|invalid jump|bad instruction|VM (?:exception|execution)|execution (?:failed|error)|max (?:code|init ?code) size|gas required exceeds|intrinsic gas|insufficient (?:funds|balance)|contract creation code/i;

function isBytes(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value);
}
