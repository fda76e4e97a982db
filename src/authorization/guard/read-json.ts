import { readJson as readAnswer } from '../../kernel/outbound-http/read-json.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { withDeadline } from '../../kernel/time/with-deadline.ts';
import { AuthorizationError } from '../authorization-error.ts';

/** Long for an answer of a few hundred bytes; every request of the protected server may wait for it. */
const patience = 5_000;

/** As much as our client reads of such a document. */
const mostBytes = 512 * 1024;

/**
 * Fetches a JSON document from the authorization server. Returns `undefined` for a 404. Throws
 * `temporarily_unavailable` for every other failure.
 */
export async function readJson(
  { fetch: send, clock }: { readonly fetch: typeof fetch; readonly clock: Clock },
  url: string,
  init: RequestInit = {},
): Promise<Record<string, unknown> | undefined> {
  try {
    return await withDeadline({ clock, milliseconds: patience }, async (signal) => {
      const response = await send(url, { redirect: 'error', signal, ...init });
      if (response.status === 404) return undefined;
      if (!response.ok) throw new Error(`It answered with status ${response.status}.`);
      const body = await readAnswer(response, { mostBytes });
      if (typeof body !== 'object' || body === null)
        throw new Error('It did not answer with a JSON object.');
      return body as Record<string, unknown>; // an object, as the line above has checked
    });
  } catch (cause) {
    throw new AuthorizationError(
      'temporarily_unavailable',
      `The authorization server did not answer at ${url}: try again in a moment.`,
      { cause },
    );
  }
}
