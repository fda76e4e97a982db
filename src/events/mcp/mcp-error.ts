import { StatusError } from '../../kernel/edge/status-error.ts';
import { mcpErrorCodes } from '../model/control-bodies.ts';
import { EventsError, type Status } from '../model/events-error.ts';

/** A refusal as a JSON-RPC error of MCP Events (section 10 of its rules). */
export type McpError = { readonly code: number; readonly message: string; readonly data: object };

/** JSON-RPC 2.0: a parameter is wrong. */
const invalidParams = -32_602;

/**
 * The JSON-RPC error that a refusal is; undefined for an error that is no refusal. Its message is exactly the name of the
 * code, since careful clients check that too (M63), but of a wrong parameter what is wrong.
 */
export function toMcpError(error: unknown): McpError | undefined {
  if (!(error instanceof StatusError)) return undefined;
  const { metadata, reason, fieldViolations, retryAfterSeconds = 60 } = error;
  const named = (message: keyof typeof mcpErrorCodes, data: object) => ({
    code: mcpErrorCodes[message],
    message,
    data,
  });
  const explain: Partial<Record<Status, () => McpError>> = {
    INVALID_ARGUMENT() {
      const { field = '', description = '' } = fieldViolations[0] ?? {};
      return { code: invalidParams, message: error.message, data: { field, reason: description } };
    },
    NOT_FOUND: () => named('NotFound', { kind: 'event' }),
    PERMISSION_DENIED() {
      const { scopes, type } = metadata;
      return named('Forbidden', {
        reason: (type ?? reason).toLowerCase(),
        ...(scopes === undefined ? {} : { scope: scopes }),
      });
    },
    RESOURCE_EXHAUSTED() {
      const { limit = '0', which = reason } = metadata;
      const retryAfterMs = retryAfterSeconds * 1_000;
      return named('ResourceExhausted', {
        limit: which.toLowerCase(),
        max: Number(limit),
        retryAfterMs,
      });
    },
    UNIMPLEMENTED: () => named('Unsupported', metadata),
    FAILED_PRECONDITION: () => named('CallbackEndpointError', metadata),
    // Its application was removed meanwhile.
    ABORTED: () => named('NotFound', { kind: 'event' }),
  };
  return explain[error.code]?.();
}

/** The refusal of a parameter. `reason` is the part for programs. */
export function wrongParameter(field: string, reason: string, message = reason): EventsError {
  return new EventsError('INVALID_ARGUMENT', `${field} ${message}.`, {
    reason: 'INVALID_PARAMS',
    metadata: { field },
    fieldViolations: [{ field, description: reason }],
  });
}

export function unknownEvent(name: string): EventsError {
  const told = name.slice(0, 255);
  return new EventsError(
    'NOT_FOUND',
    `There is no event type ${told}, or none that you may see: events/list has those you may.`,
    { reason: 'UNKNOWN_EVENT_TYPE', metadata: { name: told } },
  );
}
