import { parseJson as parseForeignJson } from '../../kernel/text/parse-json.ts';
import { invalidArgument } from '../errors/invalid-argument.ts';

/** The JSON of a body. Throws `INVALID_ARGUMENT` with the reason for what is none, or nested too deep. */
export function parseJson(text: string, reason: string): unknown {
  try {
    return parseForeignJson(text);
  } catch (error) {
    const description = error instanceof Error ? error.message : 'must be JSON';
    throw invalidArgument([{ field: 'body', description }], reason);
  }
}
