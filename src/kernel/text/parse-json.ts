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

/**
 * Parses JSON from outside. Throws {@link JsonError} for text that is not JSON, for so many values that parsing them would block
 * others (N1; the number of values takes time, not the length of strings), and for nesting so deep that walking through it, as
 * `JSON.stringify` does, would overflow the stack (F21).
 */
export function parseJson(
  text: string,
  { mostValues = edgeLimits.jsonValues.value }: { readonly mostValues?: number } = {},
): unknown {
  if (text.length > mostValues && hasMoreCommas(text, mostValues)) {
    throw new JsonError(`has more than ${mostValues} values`, { isTooDeep: false });
  }
  const value = parse(text);
  if (isDeeper(value, deepestNesting)) {
    throw new JsonError(`is nested deeper than ${deepestNesting}`, { isTooDeep: true });
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JsonError('must be JSON', { isTooDeep: false, cause });
  }
}

/** Whether there are more commas than that, not counting those inside strings. */
function hasMoreCommas(text: string, than: number): boolean {
  let commas = 0;
  for (let at = 0; at < text.length && commas <= than; at++) {
    const sign = text.charCodeAt(at);
    if (sign === comma) commas++;
    else if (sign === quote) at = endOfText(text, at);
  }
  return commas > than;
}

const [quote, backslash, comma] = [...'"\\,'].map((sign) => sign.charCodeAt(0));

/** The index of the quote that closes the string opened at `start`; the length of the text if there is none. */
export function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === backslash) at++;
    else if (sign === quote) return at;
  }
  return text.length;
}

function isDeeper(value: unknown, than: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (than === 0) return true;
  return Object.values(value).some((member) => isDeeper(member, than - 1));
}
