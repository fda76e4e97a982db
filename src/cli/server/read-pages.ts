import { ServerError } from './server-error.ts';

/** A million entries at a hundred a page. */
const mostPages = 10_000;

/**
 * The pages of a list, one after another. `ask` gets the token of a page, or `undefined` for the first. Throws
 * `INVALID_ANSWER` if a token repeats or the pages do not end (N9).
 */
export async function* readPages<Page>(
  ask: (token: string | undefined) => Promise<Page>,
  nextOf: (page: Page) => string | undefined,
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  let token: string | undefined;
  do {
    const page = await ask(token);
    yield page;
    token = nextOf(page);
    if (token && (seen.has(token) || seen.size === mostPages)) throw endless(token);
    seen.add(token ?? '');
  } while (token);
}

function endless(token: string): ServerError {
  return new ServerError(
    'INVALID_ANSWER',
    `The list does not end: the server names the page ${JSON.stringify(token)} as the next one, for the second time or after ${mostPages} pages. Check that it is the server you mean, or name another one with --server.`,
  );
}
