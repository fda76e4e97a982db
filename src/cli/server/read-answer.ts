import { parseJson } from '../../kernel/text/parse-json.ts';
import { ServerError } from './server-error.ts';

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
