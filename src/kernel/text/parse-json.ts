import { edgeLimits } from '../limits/edge-limits.ts';

/** Deeper than any legitimate input, yet shallow enough to be walked by recursion. */
const deepestNesting = edgeLimits.jsonNesting.value;

/** What is wrong with a text that should be JSON; the message continues "The body …". */
export class JsonError extends Error {
  /** Whether it is JSON, but nested too deep. */
  readonly isTooDeep: boolean;

  constructor(message: string, { isTooDeep, cause }: { isTooDeep: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isTooDeep = isTooDeep;
  }
}

export type JsonBounds = { readonly mostValues?: number | undefined };

/**
 * Parses JSON from outside, which is measured before. Throws {@link JsonError} for text that is not JSON, and as `measureJson`
 * does.
 */
export function parseJson(text: string, bounds: JsonBounds = {}): unknown {
  measureJson(text, bounds);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JsonError('must be JSON', { isTooDeep: false, cause });
  }
}

/**
 * Throws {@link JsonError} for text that would be so many values as JSON that parsing them would block others (N1; the number of
 * values takes time, not the length of strings), and for nesting so deep that parsing it would too (F47), or that walking
 * through it, as `JSON.stringify` does, would overflow the stack (F21). Takes time linear in the length, and does not go beyond
 * what is too much.
 */
export function measureJson(
  text: string,
  { mostValues = edgeLimits.jsonValues.value }: JsonBounds = {},
): void {
  if (text.length <= deepestNesting) return;
  let commas = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfText(text, at);
        break;
      case comma:
        commas++;
        if (commas > mostValues) {
          throw new JsonError(`has more than ${mostValues} values`, { isTooDeep: false });
        }
        break;
      case openArray:
      case openObject:
        depth++;
        if (depth > deepestNesting) {
          throw new JsonError(`is nested deeper than ${deepestNesting}`, { isTooDeep: true });
        }
        break;
      case closeArray:
      case closeObject:
        depth--;
    }
  }
}

const [quote, backslash, comma, openArray, openObject, closeArray, closeObject] = [
  ...'"\\,[{]}',
].map((sign) => sign.charCodeAt(0));

/** The index of the quote that closes the string opened at `start`; the length of the text if there is none. */
export function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === backslash) at++;
    else if (sign === quote) return at;
  }
  return text.length;
}
