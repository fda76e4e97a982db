import { DatabaseError } from '../database-error.ts';
import type { Sql, SqlValue } from '../sql.ts';

/** A statement as the driver takes it; one with a name is prepared once on each connection. */
export type PostgresQuery = {
  readonly name?: string;
  readonly text: string;
  readonly values: SqlValue[];
};

/** Each name takes memory in every connection of the server; texts beyond these stay unnamed. */
const statementsNamed = 500;

/** Numbers the values of statements and remembers a name for each text it has seen. */
export function createPostgresQueries(): (statement: Sql) => PostgresQuery {
  const byTemplate = new WeakMap<readonly string[], { name?: string; text: string }>();
  const names = new Map<string, string>();

  const prepare = (strings: readonly string[]) => {
    const text = strings.reduce((numbered, part, index) => `${numbered}$${index}${part}`);
    const name = names.get(text) ?? `tradewind_${names.size}`;
    if (names.size < statementsNamed) names.set(text, name);
    return names.has(text) ? { name, text } : { text };
  };

  return ({ strings, values }) => {
    const known = byTemplate.get(strings) ?? prepare(strings);
    if ('raw' in strings) byTemplate.set(strings, known);
    return { ...known, values: [...values] };
  };
}

/** Object identifiers of types that answer as numbers, from `pg_type`. */
const numberTypes = new Set([
  20 /* int8 */, 21 /* int2 */, 23 /* int4 */, 700 /* float4 */, 701 /* float8 */,
  1700 /* numeric, which sums of int8 are */,
]);
const booleanType = 16;

/** How the driver reads columns, so that rows are the same as on the embedded engine. */
export const postgresTypes = {
  getTypeParser(type: number): (text: string) => SqlValue {
    if (numberTypes.has(type)) return toNumber;
    if (type === booleanType) return (text) => (text === 't' ? 1 : 0);
    return (text) => text;
  },
};

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(text)) {
    throw new DatabaseError(
      'STATEMENT_REFUSED',
      `The integer ${text} does not fit into a number: store integers beyond 2^53 as text.`,
    );
  }
  return value;
}
