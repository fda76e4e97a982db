import type { Clock } from '../../kernel/clock.ts';
import type { DomainError } from '../../kernel/domain-error.ts';

/** The two bodies that every answer of the interface has one of. */
export type Envelopes = {
  success(data: object): Response;
  error(error: DomainError, status: number): Response;
};

/** Writes the success and error envelopes of the quote interface; `timestamp` is the time of writing. */
export function createEnvelopes(clock: Clock): Envelopes {
  // What an answer says holds for its moment only: no cache may give it to anyone later.
  const headers = { 'Cache-Control': 'no-store' };
  const timestamp = () => new Date(clock.now()).toISOString();
  return {
    success: (data) => Response.json({ success: true, data, timestamp: timestamp() }, { headers }),
    error({ code, message, details }, status) {
      const error = details === undefined ? { code, message } : { code, message, details };
      const wait = details?.retryAfterSeconds;
      const retry = typeof wait === 'number' ? { 'Retry-After': String(wait) } : {};
      const body = { success: false, error, timestamp: timestamp() };
      return Response.json(body, { status, headers: { ...headers, ...retry } });
    },
  };
}
