/**
 * What a column may hold. Booleans are 0 and 1, times are epoch milliseconds, bytes are base64url
 * text, integers beyond 2^53 are decimal text.
 */
export type SqlValue = string | number | null;

/** A statement or a part of one: text between values, ready to be numbered for either engine. */
export type Sql = {
  readonly strings: readonly string[];
  readonly values: readonly SqlValue[];
};

/**
 * Writes a statement with its values in place; values never become text. An embedded {@link Sql} is
 * spliced in, so conditions and lists can be composed.
 */
export function sql(strings: TemplateStringsArray, ...parts: ReadonlyArray<SqlValue | Sql>): Sql {
  // A statement without embedded parts keeps the identity of its template, by which engines
  // remember what they have prepared.
  if (parts.every(isValue)) return { strings, values: parts };
  const texts: string[] = [strings[0] ?? ''];
  const values: SqlValue[] = [];
  parts.forEach((part, index) => {
    const following = strings[index + 1] ?? '';
    if (isValue(part)) {
      values.push(part);
      texts.push(following);
      return;
    }
    texts[texts.length - 1] += part.strings[0] ?? '';
    texts.push(...part.strings.slice(1));
    texts[texts.length - 1] += following;
    values.push(...part.values);
  });
  return { strings: texts, values };
}

/** `(a, b, c)` as values, for `IN` and `VALUES`. An empty list is a mistake of the caller. */
export function sqlList(values: readonly SqlValue[]): Sql {
  if (values.length === 0) throw new RangeError('sqlList needs at least one value');
  return { strings: ['(', ...Array(values.length - 1).fill(', '), ')'], values };
}

/** `(a, b), (c, d)` as values, for `VALUES`. Every row has as many as the first. */
export function sqlRows(rows: readonly (readonly SqlValue[])[]): Sql {
  const width = rows[0]?.length ?? 0;
  if (width === 0) throw new RangeError('sqlRows needs at least one row of at least one value');
  const values = rows.flat();
  const between = values.slice(1).map((_, index) => ((index + 1) % width === 0 ? '), (' : ', '));
  return { strings: ['(', ...between, ')'], values };
}

/** A statement that is text alone, such as one of a migration. Never build it from input. */
export function sqlText(text: string): Sql {
  return { strings: [text], values: [] };
}

function isValue(part: SqlValue | Sql): part is SqlValue {
  return part === null || typeof part !== 'object';
}
