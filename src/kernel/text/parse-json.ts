/** Deeper than anything that is sent in earnest, and what is read may then be walked through by recursion. */
const deepestNesting = 100;

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
 * The value of a text from outside. Throws {@link JsonError} for what is no JSON, and for what is nested
 * too deep: whoever walks through that, as `JSON.stringify` does, runs out of stack (F21).
 */
export function parseJson(text: string): unknown {
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

function isDeeper(value: unknown, than: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (than === 0) return true;
  return Object.values(value).some((member) => isDeeper(member, than - 1));
}
