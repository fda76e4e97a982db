import { StatusError } from '../../kernel/rpc-status/status-error.ts';

export {
  type FieldViolation,
  type PreconditionViolation,
  type Status,
  statuses,
} from '../../kernel/rpc-status/status-error.ts';

/** A refusal of the events service. */
export class EventsError extends StatusError {}
