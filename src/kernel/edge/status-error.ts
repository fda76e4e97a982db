import { z } from 'zod';
import { DomainError } from '../model/domain-error.ts';

/** The canonical statuses with their gRPC number and their HTTP status (google.rpc.Code). */
export const statuses = {
  CANCELLED: { grpc: 1, http: 499 },
  UNKNOWN: { grpc: 2, http: 500 },
  INVALID_ARGUMENT: { grpc: 3, http: 400 },
  DEADLINE_EXCEEDED: { grpc: 4, http: 504 },
  NOT_FOUND: { grpc: 5, http: 404 },
  ALREADY_EXISTS: { grpc: 6, http: 409 },
  PERMISSION_DENIED: { grpc: 7, http: 403 },
  RESOURCE_EXHAUSTED: { grpc: 8, http: 429 },
  FAILED_PRECONDITION: { grpc: 9, http: 400 },
  ABORTED: { grpc: 10, http: 409 },
  OUT_OF_RANGE: { grpc: 11, http: 400 },
  UNIMPLEMENTED: { grpc: 12, http: 501 },
  INTERNAL: { grpc: 13, http: 500 },
  UNAVAILABLE: { grpc: 14, http: 503 },
  DATA_LOSS: { grpc: 15, http: 500 },
  UNAUTHENTICATED: { grpc: 16, http: 401 },
} as const;

export type Status = keyof typeof statuses;

export type FieldViolation = { readonly field: string; readonly description: string };
export type PreconditionViolation = {
  readonly type: string;
  readonly subject: string;
  readonly description: string;
};

type StatusErrorOptions = {
  /** What went wrong for machines: upper snake case, at most 63 characters (E8.18). */
  readonly reason: string;
  /** Every variable part of the message (E8.19). */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly fieldViolations?: readonly FieldViolation[];
  readonly preconditionViolations?: readonly PreconditionViolation[];
  readonly resource?: { readonly type: string; readonly name: string };
  readonly retryAfterSeconds?: number;
  /** Values of `WWW-Authenticate`. */
  readonly challenges?: readonly string[];
  readonly cause?: unknown;
};

/** A refusal in the form of google.rpc.Status. `code` is the canonical status. */
export class StatusError extends DomainError<Status> {
  readonly reason: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly fieldViolations: readonly FieldViolation[];
  readonly preconditionViolations: readonly PreconditionViolation[];
  readonly resource: { readonly type: string; readonly name: string } | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly challenges: readonly string[];

  constructor(status: Status, message: string, options: StatusErrorOptions) {
    super(status, message, options.cause === undefined ? {} : { cause: options.cause });
    this.reason = options.reason;
    this.metadata = options.metadata ?? {};
    this.fieldViolations = options.fieldViolations ?? [];
    this.preconditionViolations = options.preconditionViolations ?? [];
    this.resource = options.resource;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.challenges = options.challenges ?? [];
  }
}

const detailTypes = 'type.googleapis.com/google.rpc.';

/**
 * The details of an error for programs: exactly one `ErrorInfo`, and each other kind at most once
 * (E8.17-E8.21).
 */
export function errorDetails(error: StatusError, domain: string): object[] {
  const { reason, metadata, fieldViolations, preconditionViolations, resource } = error;
  const { retryAfterSeconds } = error;
  return [
    { '@type': `${detailTypes}ErrorInfo`, reason, domain, metadata },
    ...(fieldViolations.length > 0
      ? [{ '@type': `${detailTypes}BadRequest`, fieldViolations }]
      : []),
    ...(preconditionViolations.length > 0
      ? [{ '@type': `${detailTypes}PreconditionFailure`, violations: preconditionViolations }]
      : []),
    ...(resource === undefined
      ? []
      : [
          {
            '@type': `${detailTypes}ResourceInfo`,
            resourceType: resource.type,
            resourceName: resource.name,
          },
        ]),
    ...(retryAfterSeconds === undefined
      ? []
      : [{ '@type': `${detailTypes}RetryInfo`, retryDelay: `${retryAfterSeconds}s` }]),
  ];
}

/** The most of a given id that a message repeats. */
const longestId = 64;

/** The refusal of an id that names nothing, or nothing of the caller. `message` gets the id at a length fit to show. */
export function notFound(
  given: string,
  { type, reason, message }: { type: string; reason: string; message: (id: string) => string },
): StatusError {
  const id = given.slice(0, longestId);
  const resource = { type: `tradewind/${type}`, name: id };
  return new StatusError('NOT_FOUND', message(id), { reason, metadata: { id }, resource });
}

/** The body of a refusal as google.rpc.Status, under the name that a service describes it by. */
export function statusBody(id: string) {
  return z
    .object({
      error: z.object({
        code: z.int32().describe('The HTTP status.'),
        message: z.string().describe('The explanation, for people.'),
        status: z.string().describe('The canonical status, for programs.'),
        details: z.array(z.looseObject({ '@type': z.string() })),
      }),
    })
    .meta({ id, description: 'What every refusal looks like (google.rpc.Status).' });
}
