import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DatabaseError } from '../database/database.ts';
import { DomainError, type DomainErrorOptions } from '../model/domain-error.ts';
import type { Clock } from '../wait/clock.ts';
import type { Answer } from './answer.ts';

/** Every refusal of the edge with its HTTP status. */
export const edgeErrorStatus = {
  REQUEST_ABORTED: 400,
  // 403, not 421: MCP's conformance suite demands it of a rebound Host.
  FORBIDDEN_HOST: 403,
  FORBIDDEN_ORIGIN: 403,
  TLS_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  NOT_READY: 503,
  STORE_UNAVAILABLE: 503,
} as const satisfies Record<string, ContentfulStatusCode>;

export type EdgeErrorCode = keyof typeof edgeErrorStatus;

/**
 * A request that the edge refused before a service saw it, or because no service answers it. A
 * service's error handler rethrows errors that are not its own, this one included; the edge then
 * writes it in that service's envelope.
 */
export class EdgeError extends DomainError<EdgeErrorCode> {
  /** Headers the refusal is useless without, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: EdgeErrorCode, message: string, options: EdgeErrorOptions = {}) {
    super(code, message, options);
    this.headers = options.headers ?? {};
  }
}

type EdgeErrorOptions = DomainErrorOptions & { headers?: Readonly<Record<string, string>> };

/** The refusal of a method that nothing at the path answers. */
export function methodNotAllowed(
  { method, path }: { readonly method: string; readonly path: string },
  methods: readonly string[],
): EdgeError {
  const Allow = methods.join(', ');
  const message = `${path.slice(0, 255)} does not answer ${method}: use ${Allow}.`;
  return new EdgeError('METHOD_NOT_ALLOWED', message, { headers: { Allow } });
}

/** Seconds: enough to notice that a connection is dead and to open another. */
export const storeRetryAfter = 10;

/**
 * Turns a failure of the store into a refusal, whichever service was asked (D7): it is not a bug, and
 * it passes by itself. Returns `undefined` for every other error. Searches the chain of causes too.
 */
export function explainStoreFailure(error: unknown): EdgeError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof DatabaseError)) continue;
    if (cause.code !== 'UNAVAILABLE' && cause.code !== 'CONFLICT') return undefined;
    return new EdgeError(
      'STORE_UNAVAILABLE',
      'The database of this server does not accept the request now: repeat it in a moment.',
      { cause: error, headers: { 'Retry-After': String(storeRetryAfter) } },
    );
  }
  return undefined;
}

/** Writes an error with its status. */
export type Envelope = (error: DomainError, status: number) => Answer;

/** The envelope of the edge itself, for refusals on paths that no service owns. */
export function createEnvelope(clock: Clock): Envelope {
  return ({ code, message, details }, status) => {
    const timestamp = new Date(clock.now()).toISOString();
    const error = details === undefined ? { code, message } : { code, message, details };
    const body = JSON.stringify({ success: false, error, timestamp });
    return { status, headers: { 'Content-Type': 'application/json' }, body };
  };
}
