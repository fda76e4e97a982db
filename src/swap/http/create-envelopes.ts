import type { DomainError } from '../../kernel/domain-error.ts';
import type { Answer } from '../../kernel/http/messages/answer.ts';
import type { Clock } from '../../kernel/time/clock.ts';

/** The two envelopes: every answer of the interface has one of them as its body. */
export type Envelopes = {
  success(data: object): Answer;
  error(error: DomainError, status: number): Answer;
};

/** Writes the success and error envelopes of the quote interface; `timestamp` is the time of writing. */
export function createEnvelopes(clock: Clock): Envelopes {
  // An answer is valid for its moment only: no cache may serve it later.
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  const timestamp = () => new Date(clock.now()).toISOString();
  return {
    success: (data) => ({
      status: 200,
      headers,
      body: JSON.stringify({ success: true, data, timestamp: timestamp() }),
    }),
    error({ code, message, details }, status) {
      const error = details === undefined ? { code, message } : { code, message, details };
      const wait = details?.retryAfterSeconds;
      const retry = typeof wait === 'number' ? { 'Retry-After': String(wait) } : {};
      const body = JSON.stringify({ success: false, error, timestamp: timestamp() });
      return { status, headers: { ...headers, ...retry }, body };
    },
  };
}
