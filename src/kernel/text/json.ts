/** What every JSON meets; the limits of the edge list it. */
export const jsonLimits = {
  jsonNesting: {
    value: 100,
    unit: 'items',
    per: 'request',
    meaning: 'How deep JSON is nested, wherever it comes from; beyond it 400.',
  },
  jsonValues: {
    value: 50_000,
    unit: 'items',
    per: 'request',
    meaning: 'Values in JSON, wherever it comes from, or in one event of a batch; beyond it 400.',
  },
} as const;

/** Deeper than any legitimate input, yet shallow enough to be walked by recursion. */
const deepestNesting = jsonLimits.jsonNesting.value;

/** What is wrong with a text that should be JSON; the message continues "The body …". */
export class JsonError extends Error {
  /** Whether it is JSON, but nested too deep. */
  readonly isTooDeep: boolean;

  constructor(message: string, { isTooDeep, cause }: { isTooDeep: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isTooDeep = isTooDeep;
  }
}

type JsonBounds = {
  readonly mostValues?: number | undefined;
  /** Names of members. Each takes many times as long to parse as a value without one. */
  readonly mostNames?: number | undefined;
};

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
  {
    mostValues = jsonLimits.jsonValues.value,
    mostNames = Number.POSITIVE_INFINITY,
  }: JsonBounds = {},
): void {
  if (text.length <= deepestNesting) return;
  let commas = 0;
  let colons = 0;
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
      case colon:
        colons++;
        if (colons > mostNames) {
          throw new JsonError(`has more than ${mostNames} names`, { isTooDeep: false });
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

const [quote, backslash, comma, colon, openArray, openObject, closeArray, closeObject] = [
  ...'"\\,:[{]}',
].map((sign) => sign.charCodeAt(0));

/** The index of the quote that closes the string opened at `start`; the length of the text if there is none. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === backslash) at++;
    else if (sign === quote) return at;
  }
  return text.length;
}

const [quoteSign, commaSign] = [...'",'].map((sign) => sign.charCodeAt(0));
const openings = new Set([...'[{'].map((sign) => sign.charCodeAt(0)));
const closings = new Set([...']}'].map((sign) => sign.charCodeAt(0)));

/**
 * Yields the texts of the members of a JSON array, so that a long array can be parsed in steps. Does not check that a
 * member is JSON. Throws {@link JsonError} for text that is not an array.
 */
export function* splitJsonArray(text: string): Generator<string> {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[') || !trimmed.endsWith(']')) throw noArray();
  const end = trimmed.length - 1;
  if (trimmed.slice(1, end).trim() === '') return;
  let depth = 0;
  let start = 1;
  for (let at = 1; at < end; at++) {
    const sign = trimmed.charCodeAt(at);
    if (sign === quoteSign) {
      at = endOfText(trimmed, at);
      if (at >= end) throw noArray();
    } else if (openings.has(sign)) depth++;
    else if (closings.has(sign)) {
      if (--depth < 0) throw noArray();
    } else if (sign === commaSign && depth === 0) {
      yield trimmed.slice(start, at);
      start = at + 1;
    }
  }
  if (depth > 0) throw noArray();
  yield trimmed.slice(start, end);
}

function noArray(): JsonError {
  return new JsonError('must be a JSON array', { isTooDeep: false });
}

/**
 * The body of an answer of somebody else as JSON. Throws a `RangeError` once it is longer than `mostBytes`, without
 * reading on, and a `JsonError` for anything that is not JSON, or is too deep or too much of it [F47].
 */
export async function readJson(
  response: Response,
  { mostBytes, ...bounds }: JsonBounds & { readonly mostBytes: number },
): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > mostBytes) throw new RangeError(`The answer is longer than ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  return parseJson(Buffer.concat(chunks).toString('utf8'), bounds);
}
