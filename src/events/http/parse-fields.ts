/** Which fields of an answer are wanted: by name, each with what is wanted of it; undefined is all. */
export type FieldSelection = { readonly [name: string]: FieldSelection | undefined };

// Deeper than any answer.
const deepestNesting = 20;

/**
 * Reads `fields` (E7.8): paths separated by commas, nested by `/` or `.`, grouped as `a(b,c)`, `*` for
 * all. Undefined for what is malformed. Does not check whether the fields exist.
 */
export function parseFields(text: string): FieldSelection | undefined {
  let rest = text;

  const take = (expression: RegExp): string | undefined => {
    const found = expression.exec(rest)?.[0];
    if (found !== undefined) rest = rest.slice(found.length);
    return found;
  };
  const readPath = (depth: number): FieldSelection | undefined => {
    const name = take(/^(\*|@?[A-Za-z_][\w-]*)/);
    if (name === undefined || depth > deepestNesting) return undefined;
    if (take(/^[/.]/) !== undefined) {
      const below = readPath(depth + 1);
      return below && { [name]: below };
    }
    if (take(/^\(/) === undefined) return { [name]: undefined };
    const group = readList(depth + 1);
    return group !== undefined && take(/^\)/) !== undefined ? { [name]: group } : undefined;
  };
  const readList = (depth: number): FieldSelection | undefined => {
    let selection = readPath(depth);
    while (selection !== undefined && take(/^,/) !== undefined) {
      const next = readPath(depth);
      selection = next && join(selection, next);
    }
    return selection;
  };
  const selection = readList(0);
  return rest === '' ? selection : undefined;
}

/** What either of the two wants. */
function join(one: FieldSelection, other: FieldSelection): FieldSelection {
  const joined: Record<string, FieldSelection | undefined> = { ...one };
  for (const [name, below] of Object.entries(other)) {
    const before = joined[name];
    const isNew = !Object.hasOwn(joined, name);
    if (isNew) joined[name] = below;
    else joined[name] = before && below && join(before, below);
  }
  return joined;
}
