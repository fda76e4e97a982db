import type { Queries } from '../../../kernel/database/database.ts';
import type { Sql } from '../../../kernel/database/sql.ts';

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
