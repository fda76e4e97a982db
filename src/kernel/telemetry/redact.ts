const secretKey =
  /pass(word|phrase)?$|secret|token$|authorization|cookie|^(private|signing)_?key$|^dpop$/i;
const hidden = '[hidden]';
// Deep enough for any record of ours; a guard against endless structures.
const deepest = 8;

/** Whether the value under a name is a secret. */
export function isSecretName(name: string): boolean {
  return secretKey.test(name);
}

/**
 * A copy of a log record without its secrets: values under telling names are hidden, and so are
 * credentials, bearer tokens and query strings inside texts. Errors become plain data with their
 * chain of causes.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value !== 'object') {
    return typeof value === 'bigint' ? value.toString() : value;
  }
  if (depth >= deepest) return '[deeper]';
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const inner = copy[key];
    copy[key] = isSecretName(key) && inner !== undefined ? hidden : redact(inner, depth + 1);
  }
  return copy;
}

/** A text with neither white space nor `://` contains nothing that is hidden below. */
const mayHideSecret = /\s|:\/\//;

/**
 * Anyone can send paths, so the time must be linear in the text (F1): no pattern may restart inside text that
 * it has scanned in vain. The last pattern therefore matches an address with or without a query string.
 */
function redactText(text: string): string {
  if (!mayHideSecret.test(text)) return text;
  return text
    .replace(/(bearer|dpop|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`)
    .replace(/:\/\/[^\s/]+@/g, `://${hidden}@`)
    .replace(/(:\/\/[^\s?]*)(\?[^\s"'<>]+)?/g, (address, place: string, query?: string) =>
      query === undefined ? address : `${place}?${hidden}`,
    );
}

function redactError(error: Error, depth: number) {
  const own = Object.fromEntries(Object.entries(error).filter(([key]) => key !== 'stack'));
  return {
    type: error.name,
    message: redactText(error.message),
    stack: error.stack === undefined ? undefined : redactText(error.stack),
    ...(redact(own, depth + 1) as object), // a plain object gives a plain object
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  };
}
