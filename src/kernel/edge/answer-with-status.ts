import { gzipSync } from 'node:zlib';
import { DatabaseError } from '../database/database.ts';
import { takesGzip } from './answer.ts';
import { type EdgeError, type EdgeErrorCode, storeRetryAfter } from './edge-error.ts';
import type { AnswerOperation } from './index-operations.ts';
import type { Mount } from './mount.ts';
import { addressOf, queryOf } from './request.ts';
import { errorDetails, type Status, StatusError, statuses } from './status-error.ts';

/**
 * The part of a mount that writes refusals as google.rpc.Status: those that `answer` throws, and those of the
 * edge on its paths. Any other error goes on to the edge, which has its own refusal written by `writeRefusal`. What
 * `explain` gives is said in the place of a refusal of the edge.
 */
export function answerWithStatus(
  answer: AnswerOperation,
  domain: string,
  explain: (error: EdgeError, path: string) => StatusError | undefined = () => undefined,
): Required<Pick<Mount, 'answer' | 'writeRefusal'>> {
  return {
    async answer(call) {
      try {
        return await answer(call);
      } catch (error) {
        const refusal = error instanceof StatusError ? error : toStoreStatus(error);
        if (refusal === undefined) throw error;
        return writeStatusError(refusal, { request: call.request, domain });
      }
    },
    writeRefusal: (error, { request, requestId }) => {
      const { method, address } = request;
      const headers = { get: (name: string) => request.header(name) ?? null };
      const options = { request: { method, url: address.href, headers }, domain };
      const told = explain(error, address.pathname);
      return told === undefined
        ? writeEdgeRefusal(error, { ...options, requestId })
        : writeStatusError(told, options);
    },
  };
}

/** The form of the edge's refusals; `http` if it differs from that of the status. */
const edgeRefusals = {
  REQUEST_ABORTED: { status: 'CANCELLED' },
  FORBIDDEN_HOST: { status: 'PERMISSION_DENIED' },
  FORBIDDEN_ORIGIN: { status: 'PERMISSION_DENIED' },
  TLS_REQUIRED: { status: 'PERMISSION_DENIED' },
  NOT_FOUND: { status: 'NOT_FOUND' },
  // E1.15
  METHOD_NOT_ALLOWED: { status: 'UNIMPLEMENTED', http: 405 },
  // E6.15
  PAYLOAD_TOO_LARGE: { status: 'INVALID_ARGUMENT', http: 413 },
  RATE_LIMITED: { status: 'RESOURCE_EXHAUSTED' },
  INTERNAL_ERROR: { status: 'INTERNAL' },
  NOT_READY: { status: 'UNAVAILABLE' },
  STORE_UNAVAILABLE: { status: 'UNAVAILABLE' },
} as const satisfies Record<EdgeErrorCode, { status: Status; http?: number }>;

type ErrorAnswerOptions = {
  readonly request: AnsweredRequest;
  /** Host and port of the public URL (E8.20). */
  readonly domain: string;
};

/** Writes a refusal (E8.15-E8.21), with the headers that go with it. */
function writeStatusError(error: StatusError, options: ErrorAnswerOptions): Response {
  const headers = [
    ...error.challenges.map((value) => ['WWW-Authenticate', value] as const),
    ...(error.retryAfterSeconds === undefined
      ? []
      : [['Retry-After', String(error.retryAfterSeconds)] as const]),
  ];
  return write(error, { ...options, status: statuses[error.code].http, headers });
}

/** Writes a refusal of the edge in the same form; the edge itself adds its headers. */
function writeEdgeRefusal(
  error: EdgeError,
  options: ErrorAnswerOptions & { readonly requestId: string },
): Response {
  const { request, domain, requestId } = options;
  const { status, http = statuses[status].http }: { status: Status; http?: number } =
    edgeRefusals[error.code];
  const told = new StatusError(status, error.message, {
    reason: error.code,
    metadata: {
      path: addressOf(request.url).pathname.slice(0, 200),
      method: request.method,
      requestId,
      ...Object.fromEntries(
        Object.entries({ ...error.details, ...error.headers }).map(([name, value]) => [
          name.toLowerCase(),
          String(value),
        ]),
      ),
    },
    ...(error.code === 'PAYLOAD_TOO_LARGE'
      ? { fieldViolations: [{ field: 'body', description: 'is too large' }] }
      : {}),
  });
  return write(told, { request, domain, status: http, headers: [] });
}

/** What a failure of the store means to callers; other errors are not ours to explain. */
function toStoreStatus(error: unknown): StatusError | undefined {
  if (!(error instanceof DatabaseError)) return undefined;
  if (error.code === 'UNAVAILABLE') {
    return new StatusError(
      'UNAVAILABLE',
      'The database does not answer: repeat the request in a moment.',
      {
        reason: 'STORE_UNAVAILABLE',
        retryAfterSeconds: storeRetryAfter,
        cause: error,
      },
    );
  }
  if (error.code !== 'CONFLICT') return undefined;
  return new StatusError(
    'ABORTED',
    'Other changes conflicted with this one several times: repeat the request.',
    {
      reason: 'CONCURRENT_CHANGE',
      cause: error,
    },
  );
}

function write(
  error: StatusError,
  options: ErrorAnswerOptions & {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
  },
): Response {
  const { request, domain, status, headers } = options;
  const { message, reason } = error;
  const isVersionOne = queryOf(request).get('$.xgafv') === '1';
  const body = {
    code: status,
    message,
    ...(isVersionOne ? { errors: [{ message, domain, reason }] } : {}),
    status: error.code,
    details: errorDetails(error, domain),
  };
  return writeJson({ error: body }, { request, status, headers });
}

/** What an answer depends on in its request. */
type AnsweredRequest = Pick<Request, 'method' | 'url'> & {
  readonly headers: Pick<Headers, 'get'>;
};

type WriteOptions = {
  readonly request: AnsweredRequest;
  readonly status?: number;
  readonly headers?: Iterable<readonly [string, string]>;
};

/** Shorter answers fit into one packet anyway, and a compressor takes longer to set up than they take to send. */
const leastCompressed = 1_024;

/**
 * Writes an answer: indented unless `prettyPrint` or `$prettyPrint` is `false` or `0` (E7.16, G3). From a kilobyte on,
 * it is compressed for callers that ask for it (E7.14). Answers are valid only for the moment, so no cache keeps them.
 */
export function writeJson(value: object, { request, status = 200, headers = [] }: WriteOptions) {
  const query = queryOf(request);
  const isCompact = ['prettyPrint', '$prettyPrint'].some((name) =>
    ['false', '0'].includes(query.get(name) ?? ''),
  );
  const text = `${JSON.stringify(value, null, isCompact ? 0 : 2)}\n`;
  const isCompressed = text.length >= leastCompressed && takesGzip(request);
  const response = new Response(isCompressed ? new Uint8Array(gzipSync(text)) : text, {
    status,
    headers: {
      'Content-Type': 'application/json; charset=UTF-8',
      'Cache-Control': 'no-store',
      Vary: 'Accept-Encoding',
      ...(isCompressed ? { 'Content-Encoding': 'gzip' } : {}),
    },
  });
  for (const [name, text] of headers) response.headers.append(name, text);
  return response;
}
