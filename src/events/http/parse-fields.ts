/** The requested fields of an answer, by name, each with its own selection; undefined means all of it. */
export type FieldSelection = { readonly [name: string]: FieldSelection | undefined };

// Deeper than any answer.
const deepestNesting = 20;

const aName = /\*|@?[A-Za-z_][\w-]*/y;
const anOpening = /[/.(]/y;
const aClosing = /\)/y;
const aComma = /,/y;

/**
 * Reads `fields` (E7.8): paths separated by commas, nested by `/` or `.`, grouped as `a(b,c)`, `*` for all. Undefined
 * if the text is malformed. Does not check whether the fields exist. The text is read once, and each name is added to
 * one selection that grows, so the time is linear in the text (F3).
 */
export function parseFields(text: string): FieldSelection | undefined {
  let position = 0;

  const take = (expression: RegExp): string | undefined => {
    expression.lastIndex = position;
    const found = expression.exec(text)?.[0];
    position += found?.length ?? 0;
    return found;
  };
  /**
   * Adds a path to the selection, unless that is undefined because everything is selected already. False if the path is
   * malformed.
   */
  const readPath = (selection: GrowingSelection | undefined, depth: number): boolean => {
    const name = take(aName);
    if (name === undefined || depth > deepestNesting) return false;
    const opening = take(anOpening);
    if (opening === undefined) {
      if (selection !== undefined) selection[name] = undefined;
      return true;
    }
    const below = selection && selectionBelow(selection, name);
    if (opening !== '(') return readPath(below, depth + 1);
    return readList(below, depth + 1) && take(aClosing) !== undefined;
  };
  const readList = (selection: GrowingSelection | undefined, depth: number): boolean => {
    do {
      if (!readPath(selection, depth)) return false;
    } while (take(aComma) !== undefined);
    return true;
  };
  const selection = emptySelection();
  return readList(selection, 0) && position === text.length ? selection : undefined;
}

type GrowingSelection = { [name: string]: GrowingSelection | undefined };

/** Without a prototype, since `__proto__` is a name like any other. */
function emptySelection(): GrowingSelection {
  return Object.create(null);
}

function selectionBelow(selection: GrowingSelection, name: string): GrowingSelection | undefined {
  if (!Object.hasOwn(selection, name)) selection[name] = emptySelection();
  return selection[name];
}
