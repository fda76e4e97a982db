import { z } from 'zod';
import { invalidArgument } from '../model/events-error.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Parses `fields` and returns a function that narrows an answer to them. */
export type FieldSelector = (fields: string) => (answer: object) => object;

/**
 * Narrows answers of a schema to the requested fields (E7.8). Fields that the schema does not declare are refused
 * (E7.9), whether or not an answer has them. The selector throws `INVALID_ARGUMENT` as soon as it reads `fields`, so
 * that a method can refuse before it has done anything.
 */
export function createFieldSelector(schema: z.ZodType): FieldSelector {
  let known: JsonSchema | undefined;
  return (fields) => {
    // Made on first use, because this takes longer than everything else at startup.
    known ??= z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const declared = known;
    const selection = parseFields(fields);
    if (selection === undefined) throw refuse('is malformed: write it as in a,b(c,d/e)');
    const unknown = findUnknown(selection, { schema: declared, definitions: declared.$defs ?? {} });
    if (unknown !== undefined) throw refuse(`names ${unknown}, which the answer cannot have`);
    return (answer) => pick(answer, selection) as object; // picking from an object gives an object
  };
}

function refuse(description: string) {
  return invalidArgument([{ field: 'fields', description }], 'INVALID_FIELD_SELECTION');
}

type Declared = { schema: JsonSchema; definitions: Record<string, JsonSchema> };

function findUnknown(
  selection: FieldSelection,
  { schema, definitions }: Declared,
  path = '',
): string | undefined {
  const { properties } = resolve(schema, definitions);
  // An object that may hold anything, such as the response of an operation, is not checked.
  if (properties === undefined) return undefined;
  for (const [name, below] of Object.entries(selection)) {
    if (name !== '*' && !Object.hasOwn(properties, name)) return `${path}${name}`;
    const members = name === '*' ? Object.values(properties) : [properties[name]];
    for (const member of members) {
      if (member === undefined || typeof member === 'boolean') return `${path}${name}`;
      if (below === undefined) continue;
      const resolved = resolve(member, definitions);
      const isScalar = resolved.properties === undefined && resolved.type !== 'object';
      if (isScalar && name === '*') continue;
      if (isScalar) return `${path}${name}/${Object.keys(below)[0]}`;
      const unknown = findUnknown(below, { schema: member, definitions }, `${path}${name}/`);
      if (unknown !== undefined && name !== '*') return unknown;
    }
  }
  return undefined;
}

/** Follows the reference of a schema, and goes from a list to its items. */
function resolve(schema: JsonSchema, definitions: Record<string, JsonSchema>): JsonSchema {
  const { $ref, items } = schema;
  const named = $ref === undefined ? undefined : definitions[$ref.replace('#/$defs/', '')];
  if (named !== undefined) return resolve(named, definitions);
  const isList = schema.type === 'array' && typeof items === 'object' && !Array.isArray(items);
  return isList ? resolve(items, definitions) : schema;
}

function pick(value: unknown, selection: FieldSelection | undefined): unknown {
  if (selection === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => pick(item, selection));
  if (typeof value !== 'object' || value === null) return value;
  const picked: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const isNamed = Object.hasOwn(selection, name);
    if (!isNamed && !Object.hasOwn(selection, '*')) continue;
    picked.push([name, pick(member, isNamed ? selection[name] : selection['*'])]);
  }
  return Object.fromEntries(picked);
}

/** The requested fields of an answer, by name, each with its own selection; undefined means all of it. */
type FieldSelection = { readonly [name: string]: FieldSelection | undefined };

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
