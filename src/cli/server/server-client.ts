import type { z } from 'zod';
import { parseJson } from '../../kernel/text/json.ts';
import { errorEnvelope, type SwapOperation, successEnvelope } from '../../swap/wire.ts';
import { plainText } from '../plain-text.ts';
import { explainFailedRequest, ServerError } from './server-error.ts';

/** Asks a running server, as any other client would. */
export type ServerClient = {
  /** The origin of the server, without the parts of its URL that may be secret. */
  readonly origin: string;
  get<Data extends z.ZodObject>(
    operation: SwapOperation<z.ZodObject, Data>,
    parameters?: Readonly<Record<string, string>>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<z.output<Data>>;
};

/**
 * A client for the operations of the quote interface. Parameters named in the path of an operation go
 * there, all others into the query. Throws {@link ServerError} with the server's code if it refuses,
 * `SERVER_UNREACHABLE` if nobody answers and `NOT_A_TRADEWIND` for any other answer. Does not check the
 * URL.
 */
export function createServerClient(url: string, fetch: typeof globalThis.fetch): ServerClient {
  const { origin } = new URL(url);
  return {
    origin,
    async get({ path, data }, parameters = {}, options = {}) {
      const query = new URLSearchParams();
      let filled: string = path;
      for (const [name, value] of Object.entries(parameters)) {
        if (path.includes(`{${name}}`))
          filled = filled.replace(`{${name}}`, encodeURIComponent(value));
        else query.set(name, value);
      }
      const asked = `${url.replace(/\/$/, '')}${filled}?${query}`;
      const response = await fetch(asked, options).catch((cause) => {
        throw explainFailedRequest(origin, cause);
      });
      // A list of tokens is long, and parsing it delays nobody else here.
      const body = await readAnswer(response, { origin, mostValues: Number.POSITIVE_INFINITY });
      const refusal = errorEnvelope.safeParse(body);
      if (refusal.success) {
        const { code, message, details } = refusal.data.error;
        throw new ServerError(code, plainText(message), details && { details });
      }
      const answer = successEnvelope(data).safeParse(body);
      // The envelope's schema parsed `data` by this schema, which the compiler cannot infer from the generic.
      if (answer.success) return (answer.data as { data: z.output<typeof data> }).data;
      throw notATradewind(origin, { status: response.status, path });
    },
  };
}

/**
 * The JSON of an answer, or `undefined` if it is not JSON. Throws the errors of `boundBody`, and
 * `SERVER_UNREACHABLE` if the connection broke before the answer was complete.
 */
export async function readAnswer(
  response: Response,
  { origin, mostValues }: { readonly origin: string; readonly mostValues?: number },
): Promise<unknown> {
  const text = await response.text().catch((cause) => {
    // `fetch` throws a `TypeError` if the connection breaks.
    throw cause instanceof TypeError ? broken(origin, cause) : cause;
  });
  try {
    return parseJson(text, mostValues === undefined ? {} : { mostValues });
  } catch {
    return undefined;
  }
}

function broken(origin: string, cause: TypeError): ServerError {
  return new ServerError(
    'SERVER_UNREACHABLE',
    `The connection to ${origin} broke before its answer was complete: try again.`,
    { cause },
  );
}

/** The error for an answer that a Tradewind server would not give at this path. */
export function notATradewind(
  origin: string,
  { status, path }: { readonly status: number; readonly path: string },
): ServerError {
  return new ServerError(
    'NOT_A_TRADEWIND',
    `${origin} answers ${status} at ${plainText(path)}, but not in the form that a Tradewind server uses: check the address, or name another server with --server or TRADEWIND_PUBLIC_URL.`,
    { details: { status } },
  );
}

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
