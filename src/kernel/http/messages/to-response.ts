import type { Answer } from './answer.ts';

/** The same answer as the web writes it. */
export function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body === '' ? null : body, { status, headers });
}
