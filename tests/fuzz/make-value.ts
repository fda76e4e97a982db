import type { Dice } from '../support/dice.ts';

/** The part of JSON Schema that values are made from. */
type Schema = Readonly<Record<string, unknown>>;

/** Values of the interfaces, for schemas that say only that something is text. */
const words = [
  'abc',
  '1',
  '1.0',
  'true',
  'code',
  'S256',
  'client_credentials',
  'refresh_token',
  'subscriptions/abc',
  '//drive.googleapis.com/files/f1',
  'google.workspace.drive.file.v3.created',
  'http://127.0.0.1:9/hook',
  'event_types:"google.workspace.drive.file.v3.created"',
  '600s',
  '*',
];

/** A value that conforms to a schema, as far as the schema says; `definitions` holds its references. */
export function makeValue(
  schema: Schema,
  dice: Dice,
  definitions: Schema = {},
  depth = 0,
): unknown {
  const again = (below: unknown) => makeValue(below as Schema, dice, definitions, depth + 1);
  const { $ref, enum: choices, examples, anyOf, type } = schema;
  if (typeof $ref === 'string') return again(definitions[$ref.replace('#/$defs/', '')] ?? {});
  if ('const' in schema) return schema.const;
  if (Array.isArray(choices)) return dice.pick(choices);
  if (Array.isArray(examples)) return dice.pick(examples);
  if (Array.isArray(anyOf)) return again(dice.pick(anyOf));
  const kind = Array.isArray(type) ? dice.pick(type) : type;
  if (kind === 'object') return makeObject(schema, dice, again);
  if (kind === 'array') {
    const length = depth > 4 ? 0 : Math.floor(dice.fraction() * 4);
    return Array.from({ length }, () => again(schema.items ?? {}));
  }
  if (kind === 'integer') return Math.floor(dice.magnitude(1, 2 ** 31));
  if (kind === 'number') return dice.pick([0, 0.005, 1, -1, 1e300]);
  if (kind === 'boolean') return dice.fraction() < 0.5;
  if (kind === 'null') return null;
  return makeText(schema, dice);
}

function makeObject(schema: Schema, dice: Dice, again: (below: unknown) => unknown): object {
  const { properties = {}, required = [] } = schema as { properties?: Schema; required?: string[] };
  const fields = Object.entries(properties).filter(
    ([name]) => required.includes(name) || dice.fraction() < 0.6,
  );
  return Object.fromEntries(fields.map(([name, below]) => [name, again(below)]));
}

function makeText({ pattern, format }: Schema, dice: Dice): string {
  if (format === 'date-time' || format === 'google-datetime') return '2030-01-01T00:00:00Z';
  if (format === 'uuid') return '123e4567-e89b-42d3-a456-426614174000';
  if (pattern === '^0x[a-fA-F0-9]{40}$') {
    const digit = () => dice.pick([...'0123456789abcdef']);
    return `0x${Array.from({ length: 40 }, digit).join('')}`;
  }
  if (typeof pattern === 'string' && pattern.includes('\\d')) {
    return String(Math.floor(dice.magnitude(1, 1e15)));
  }
  return dice.pick(words);
}
