import type { ContextErrorCode } from '../src/context/context-error.ts';
import { type EdgeErrorCode, edgeErrorStatus } from '../src/kernel/edge/edge-error.ts';
import {
  type UnreadErrorCode,
  unreadErrorStatus,
} from '../src/kernel/edge/listener/answer-unread.ts';
import { swapErrorStatus } from '../src/swap/http/create-swap-mount.ts';
import type { SwapErrorCode } from '../src/swap/model.ts';

type Meanings<Code extends string> = Readonly<Record<Code, string>>;

const swapMeanings: Meanings<SwapErrorCode> = {
  INVALID_PARAMS:
    'A parameter is missing, given twice or wrong. `details` names each with its rule.',
  UNSUPPORTED_CHAIN: 'The chain is not served here. `details` lists those that are.',
  NOT_FOUND: 'There is nothing at this path.',
  RATE_LIMITED: 'Too many requests. `Retry-After` says how many seconds to wait.',
  INTERNAL_ERROR: 'An error of the server; its log has the cause under the request id.',
  UPSTREAM_ERROR:
    'Neither an RPC endpoint of the chain nor an upstream server could answer. `details` says what was tried.',
};

const contextMeanings: Meanings<ContextErrorCode> = {
  AMBIGUOUS_TOKEN:
    'Several tokens of the chain have this symbol. The message lists their addresses.',
  NOT_A_PAIR: 'The address of a resource is not that of a pair of tokens.',
  TOO_MANY_WATCHES: 'The session watches as many pairs as it may.',
  UNKNOWN_TOKEN: 'No known token of the chain has this symbol. The message lists the known ones.',
};

const edgeMeanings: Meanings<EdgeErrorCode> = {
  REQUEST_ABORTED: 'The connection closed before the request was complete.',
  FORBIDDEN_HOST: 'The `Host` is not the address of this server.',
  FORBIDDEN_ORIGIN: 'A page of this `Origin` may not call the path.',
  TLS_REQUIRED: 'The server answers over TLS only.',
  NOT_FOUND: 'There is nothing at this path.',
  METHOD_NOT_ALLOWED: 'The path does not answer this method. `Allow` names those it does.',
  PAYLOAD_TOO_LARGE: 'The body is larger than the path takes.',
  RATE_LIMITED: 'Too many requests. `Retry-After` says how many seconds to wait.',
  INTERNAL_ERROR: 'An error of the server; its log has the cause under the request id.',
  NOT_READY: 'The process cannot serve now. `details` names the cause.',
  STORE_UNAVAILABLE:
    'The database does not answer, is full or is read-only. `Retry-After` says how many seconds to wait.',
};

const unreadMeanings: Meanings<UnreadErrorCode> = {
  MALFORMED_REQUEST: 'The request is not HTTP/1.1, or its address cannot be parsed.',
  REQUEST_TIMEOUT: 'The headers or the body did not arrive in time.',
  HEADERS_TOO_LARGE: 'The address and the headers together are larger than 16 KiB.',
  NOT_A_PROXY: 'CONNECT asks for a tunnel; this server opens none.',
  UNKNOWN_TRANSFER_CODING: 'The body has a transfer coding other than `chunked`.',
};

/** Renders the page of all error codes from the tables that give each code its HTTP status. */
export function renderErrorsPage(): string {
  return [
    '# Errors',
    '',
    '<!-- Made by npm run generate from the codes; edit scripts/render-errors-page.ts. -->',
    '',
    'Programs can rely on a code; messages are for people and may change.',
    '',
    '## Swap quotes',
    '',
    'In the error envelope of [the interface](interfaces/swap.md), as `error.code`.',
    '',
    ...renderTable(swapErrorStatus, swapMeanings),
    '',
    '## MCP',
    '',
    'Tool errors of [the endpoint](interfaces/context.md) begin with the code of the service that was asked, or one of these.',
    '',
    '| Code | Meaning |',
    '|---|---|',
    ...Object.entries(contextMeanings).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
    '',
    '## Every service',
    '',
    'Refusals before a service sees the request, in the envelope of the service that owns the path.',
    '',
    ...renderTable(edgeErrorStatus, edgeMeanings),
    '',
    '## Unreadable requests',
    '',
    'A request that cannot be parsed is refused in the error envelope of the quotes, and its connection is closed.',
    '',
    ...renderTable(unreadErrorStatus, unreadMeanings),
    '',
  ].join('\n');
}

function renderTable<Code extends string>(
  statuses: Readonly<Record<Code, number>>,
  meanings: Meanings<Code>,
): string[] {
  const rows = Object.entries<number>(statuses)
    .toSorted(([, a], [, b]) => a - b)
    // The types ensure that both tables have the same codes.
    .map(([code, status]) => `| \`${code}\` | ${status} | ${meanings[code as Code]} |`);
  return ['| Code | Status | Meaning |', '|---|---|---|', ...rows];
}
