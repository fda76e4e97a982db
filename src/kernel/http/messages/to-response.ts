import type { Answer } from './answer.ts';

/** The answer as a `Response` of the web. */
export function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body === '' ? null : body, { status, headers });
}
