/** A word of a filter. `kind` is the word itself for operators and signs. */
export type FilterToken = {
  readonly kind: 'AND' | 'OR' | '(' | ')' | ':' | '=' | 'name' | 'string';
  /** A string without its quotes and escapes. */
  readonly text: string;
  /** Where it begins. */
  readonly at: number;
};

const word =
  /(?<sign>[():=])|(?<name>[A-Za-z_]\w*)|"(?<string>(?:[^"\\]|\\["\\])*)"|(?<unreadable>\S)/g;

/** Cuts a filter into its words. Throws a `SyntaxError` in words that continue "The filter …". */
export function tokenizeFilter(text: string): FilterToken[] {
  return Array.from(text.matchAll(word), ({ groups = {}, index }) => toToken(groups, index));
}

function toToken(groups: Record<string, string | undefined>, at: number): FilterToken {
  const { sign, name, string, unreadable } = groups;
  if (unreadable !== undefined) {
    throw new SyntaxError(`cannot be read from character ${at + 1} on`);
  }
  // The expression matches exactly one of the others, and `sign` only the four signs.
  if (sign !== undefined) return { kind: sign as ':', text: sign, at };
  if (name === 'AND' || name === 'OR') return { kind: name, text: name, at };
  if (name !== undefined) return { kind: 'name', text: name, at };
  return { kind: 'string', text: (string ?? '').replaceAll(/\\(.)/g, '$1'), at };
}
