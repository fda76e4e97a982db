import { parseJson as parseForeignJson } from '../../kernel/text/parse-json.ts';
import { invalidArgument } from '../errors/invalid-argument.ts';

/** The JSON of a body. Throws `INVALID_ARGUMENT` with the given reason if it is not JSON or is nested too deeply. */
export function parseJson(text: string, reason: string): unknown {
  try {
    return parseForeignJson(text);
  } catch (error) {
    const description = error instanceof Error ? error.message : 'must be JSON';
    throw invalidArgument([{ field: 'body', description }], reason);
  }
}
