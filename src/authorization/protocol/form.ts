import { AuthorizationError } from '../authorization-error.ts';

/** The parameters of a form-encoded body. One without a value counts as not sent (RFC 6749 section 3.2). */
export type Form = {
  get(name: string): string | undefined;
  /** The same of a parameter that must be there. Throws `invalid_request` (RFC 6749 section 5.2). */
  require(name: string): string;
  /** Every value of a parameter that may come several times, such as `resource`. */
  all(name: string): readonly string[];
};

const formType = /^application\/x-www-form-urlencoded\s*(;|$)/i;
/** RFC 8707 section 2: one `resource` for each audience. */
const repeatable = 'resource';

/**
 * Reads the body of a request to an OAuth endpoint. Throws `invalid_request` if its `Content-Type` is not that of a
 * form, if a parameter is repeated that must not be (RFC 6749 section 3.2), or if one holds a character that not every
 * store can hold.
 */
export function readForm(contentType: string | undefined, body: string): Form {
  if (!formType.test(contentType ?? '')) {
    throw new AuthorizationError(
      'invalid_request',
      'The body must be form-encoded: send it with Content-Type: application/x-www-form-urlencoded.',
    );
  }
  return parseForm(body);
}

/** Reads parameters from a form-encoded text, such as a query string. Throws as {@link readForm} does. */
export function parseForm(text: string): Form {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (value.includes('\0')) {
      throw new AuthorizationError(
        'invalid_request',
        `The parameter "${name.slice(0, 64)}" contains the character NUL: leave it out.`,
      );
    }
    const before = values.get(name);
    if (before !== undefined && name !== repeatable) {
      throw new AuthorizationError(
        'invalid_request',
        `The parameter "${name.slice(0, 64)}" was sent more than once: send it once.`,
      );
    }
    if (before === undefined) values.set(name, [value]);
    else before.push(value);
  }
  const isSent = (value: string) => value !== '';
  const get = (name: string) => values.get(name)?.find(isSent);
  return {
    all: (name) => values.get(name)?.filter(isSent) ?? [],
    get,
    require(name) {
      const value = get(name);
      if (value !== undefined) return value;
      throw new AuthorizationError(
        'invalid_request',
        `The parameter "${name}" is missing: send it.`,
      );
    },
  };
}
