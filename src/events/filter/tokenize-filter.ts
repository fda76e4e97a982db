/** A word of a filter. `kind` is the word itself for operators and signs. */
export type FilterToken = {
  readonly kind: 'AND' | 'OR' | '(' | ')' | ':' | '=' | 'name' | 'string';
  /** A string without its quotes and escapes. */
  readonly text: string;
  /** Where it begins. */
  readonly at: number;
};

const word = /\s*(?:(?<sign>[():=])|(?<name>[A-Za-z_]\w*)|"(?<string>(?:[^"\\]|\\["\\])*)")/y;
const rest = /\s*$/y;

/** Cuts a filter into its words. Throws a `SyntaxError` in words that continue "The filter …". */
export function tokenizeFilter(text: string): FilterToken[] {
  const tokens: FilterToken[] = [];
  let at = 0;
  for (;;) {
    rest.lastIndex = at;
    if (rest.test(text)) return tokens;
    word.lastIndex = at;
    const found = word.exec(text);
    if (found === null) {
      const start = at + (text.slice(at).length - text.slice(at).trimStart().length);
      throw new SyntaxError(`cannot be read from character ${start + 1} on`);
    }
    tokens.push(toToken(found.groups ?? {}, at));
    at = word.lastIndex;
  }
}

function toToken({ sign, name, string }: Record<string, string | undefined>, at: number) {
  // The expression matches exactly one of the three, and `sign` only the four signs.
  if (sign !== undefined) return { kind: sign as ':', text: sign, at };
  if (name === 'AND' || name === 'OR') return { kind: name, text: name, at } as const;
  if (name !== undefined) return { kind: 'name', text: name, at } as const;
  return { kind: 'string', text: (string ?? '').replaceAll(/\\(.)/g, '$1'), at } as const;
}
