import { z } from 'zod';
import { invalidArgument } from '../errors/invalid-argument.ts';
import { type FieldSelection, parseFields } from './parse-fields.ts';

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
