import type { Database, Queries, Row } from './database.ts';
import { type Sql, sqlText } from './sql.ts';

const rowsInStep = 500;

/** Reads all rows of a table, some hundred at a time, so that a large table need not fit into memory. */
export async function* readInSteps(
  queries: Queries,
  options: {
    readonly engine: Database['engine'];
    readonly table: string;
    readonly columns: readonly string[];
  },
): AsyncGenerator<readonly Row[]> {
  const { engine, table, columns } = options;
  const select = `SELECT ${columns.join(', ')}`;
  if (engine === 'postgres') {
    await queries.run(sqlText(`DECLARE all_rows NO SCROLL CURSOR FOR ${select} FROM ${table}`));
    for (;;) {
      const rows = await queries.all(sqlText(`FETCH ${rowsInStep} FROM all_rows`));
      if (rows.length === 0) break;
      yield rows;
    }
    await queries.run(sqlText('CLOSE all_rows'));
    return;
  }
  // Without a bound at first, since a row of a changed file may have any number.
  const from = `${select}, rowid AS row_number FROM ${table}`;
  const inOrder = ` ORDER BY rowid LIMIT ${rowsInStep}`;
  for (let last: number | undefined; ; ) {
    const page: Sql =
      last === undefined
        ? sqlText(`${from}${inOrder}`)
        : { strings: [`${from} WHERE rowid > `, inOrder], values: [last] };
    const rows = await queries.all<Row & { row_number: number }>(page);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)?.row_number ?? last;
  }
}
