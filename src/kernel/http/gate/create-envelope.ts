import type { DomainError } from '../../domain-error.ts';
import type { Clock } from '../../time/clock.ts';
import type { Answer } from '../messages/answer.ts';

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
