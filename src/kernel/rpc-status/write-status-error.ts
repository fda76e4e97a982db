import { DatabaseError } from '../database/database-error.ts';
import type { EdgeError, EdgeErrorCode } from '../http/messages/edge-error.ts';
import { storeRetryAfter } from '../http/messages/explain-store-failure.ts';
import { addressOf, queryOf } from '../http/messages/request-address.ts';
import { errorDetails } from './error-details.ts';
import { type Status, StatusError, statuses } from './status-error.ts';
import { type AnsweredRequest, writeJson } from './write-json.ts';

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

export type ErrorAnswerOptions = {
  readonly request: AnsweredRequest;
  /** Host and port of the public URL (E8.20). */
  readonly domain: string;
};

/** Writes a refusal (E8.15-E8.21), with the headers that go with it. */
export function writeStatusError(error: StatusError, options: ErrorAnswerOptions): Response {
  const headers = [
    ...error.challenges.map((value) => ['WWW-Authenticate', value] as const),
    ...(error.retryAfterSeconds === undefined
      ? []
      : [['Retry-After', String(error.retryAfterSeconds)] as const]),
  ];
  return write(error, { ...options, status: statuses[error.code].http, headers });
}

/** Writes a refusal of the edge in the same form; the edge itself adds its headers. */
export function writeEdgeRefusal(
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
export function toStoreStatus(error: unknown): StatusError | undefined {
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
