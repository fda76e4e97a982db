import type { Queries } from '../../kernel/database/database.ts';
import type { Sql } from '../../kernel/database/sql.ts';

/** Where a page of a list ends: lists are in the order of a time, and of ids where times are the same. */
export type PageKey = { readonly at: number; readonly id: string };

/** Part of a list: the entries after a key, up to a number. */
export type Page = { readonly after: PageKey; readonly limit: number };

/** Before everything. */
export const firstKey: PageKey = { at: Number.MIN_SAFE_INTEGER, id: '' };

/** As many rows as a statement removes before others have their turn (N1). */
const limit = 500;

/** Removes all that a statement finds, by repeating it for at most `limit` rows each time. */
export async function removeInSteps(
  queries: Pick<Queries, 'run'>,
  toStatement: (limit: number) => Sql,
): Promise<void> {
  const statement = toStatement(limit);
  while ((await queries.run(statement)) >= limit);
}
