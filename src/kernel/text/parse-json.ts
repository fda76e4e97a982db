import { edgeLimits } from '../limits/edge-limits.ts';

/** Deeper than anything that is sent in earnest, and what is read may then be walked through by recursion. */
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
 * The value of a text from outside. Throws {@link JsonError} for what is no JSON, for what has so many values that
 * reading them would keep others waiting (N1; that takes time, and not the length of texts), and for what is nested too deep: whoever walks through that, as
 * `JSON.stringify` does, runs out of stack (F21).
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

/** Whether more values than that follow on another, those in texts left out. */
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

/** Where the text ends that begins with the quote at a place; the length where it does not. */
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
