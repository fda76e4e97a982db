import type { Database, Queries, Row, Transaction } from '../../kernel/database/database.ts';
import { type Sql, type SqlValue, sql, sqlRows, sqlText } from '../../kernel/database/sql.ts';

/** Not copied: each engine has its own texts of the migrations. */
const ownTable = 'migrations';

/** PostgreSQL takes 65,535 values in a statement and SQLite 32,766. */
const valuesInStatement = 30_000;

type CopyRowsOptions = {
  readonly from: Database;
  readonly to: Database;
  /** Called after each step with the number of rows copied so far. */
  readonly onRows?: (rows: number) => void;
};

/**
 * Replaces all rows of a database by those of another one, on any pair of engines. Both must have the same
 * migrations, and nobody else may use the target. Reads the source in one snapshot and changes the target in one
 * transaction. Returns the number of rows.
 */
export function copyRows({ from, to, onRows = () => {} }: CopyRowsOptions): Promise<number> {
  return from.transaction(async (source) => {
    await takeTime(from, source);
    return to.transaction(async (target) => {
      await takeTime(to, target);
      let copied = 0;
      for (const table of await tablesOf(to, target)) {
        await target.run(sqlText(`DELETE FROM ${table}`));
        const columns = await columnsOf(to, { queries: target, table });
        for await (const rows of readInSteps(source, { engine: from.engine, table, columns })) {
          await insert(to, { queries: target, table, columns, rows });
          copied += rows.length;
          onRows(copied);
        }
      }
      await carryIdentities({ from, source, to, target });
      return copied;
    }, noHurry);
  }, noHurry);
}

/** A day: the largest tables take their time. */
const noHurry = { patienceMs: 24 * 60 * 60_000 };

async function takeTime({ engine }: Database, tx: Transaction): Promise<void> {
  if (engine === 'sqlite') return;
  // One snapshot for all tables. It has no effect on the target, which nobody else uses.
  await tx.run(sqlText('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ'));
  for (const limit of [
    'statement_timeout',
    'lock_timeout',
    'idle_in_transaction_session_timeout',
  ]) {
    await tx.run(sqlText(`SET LOCAL ${limit} = 0`));
  }
}

async function tablesOf({ engine }: Database, queries: Queries): Promise<string[]> {
  const rows = await queries.all<{ name: string }>(
    engine === 'sqlite'
      ? sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`
      : sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
  );
  return rows.map(({ name }) => name).filter((name) => name !== ownTable);
}

type Table = { readonly queries: Queries; readonly table: string };
type Columns = { readonly columns: readonly string[] };

async function columnsOf({ engine }: Database, { queries, table }: Table): Promise<string[]> {
  const rows = await queries.all<{ name: string }>(
    engine === 'sqlite'
      ? sql`SELECT name FROM pragma_table_info(${table})`
      : sql`SELECT column_name AS name FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = ${table}`,
  );
  return rows.map(({ name }) => name);
}

async function insert(
  { engine }: Database,
  { queries, table, columns, rows }: Table & Columns & { readonly rows: readonly Row[] },
): Promise<void> {
  const own = engine === 'postgres' ? ' OVERRIDING SYSTEM VALUE' : '';
  const into = sqlText(`INSERT INTO ${table} (${columns.join(', ')})${own} VALUES `);
  const atOnce = Math.max(1, Math.floor(valuesInStatement / columns.length));
  for (let start = 0; start < rows.length; start += atOnce) {
    const values = rows
      .slice(start, start + atOnce)
      .map((row) => columns.map((column): SqlValue => row[column] ?? null));
    await queries.run(sql`${into}${sqlRows(values)}`);
  }
}

/**
 * Carries over the counters of keys that the engine assigns: the keys of deleted rows must not be assigned again,
 * since others remember them.
 */
async function carryIdentities(given: {
  from: Database;
  source: Queries;
  to: Database;
  target: Queries;
}): Promise<void> {
  const { from, source, to, target } = given;
  for (const { name, last } of await identitiesOf(from, source)) {
    if (to.engine === 'sqlite') {
      await target.run(sql`DELETE FROM sqlite_sequence WHERE name = ${name}`);
      await target.run(sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${name}, ${last})`);
      continue;
    }
    await target.all(sql`
      SELECT setval(pg_get_serial_sequence(${name}, column_name), ${last})
      FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = ${name} AND is_identity = 'YES'`);
  }
}

function identitiesOf({ engine }: Database, queries: Queries) {
  return queries.all<{ name: string; last: number }>(
    engine === 'sqlite'
      ? sql`SELECT name, seq AS last FROM sqlite_sequence WHERE seq > 0`
      : sql`
          SELECT table_name AS name, last_value AS last
          FROM information_schema.columns JOIN pg_sequences
            ON pg_get_serial_sequence(table_name, column_name)
              = quote_ident(schemaname) || '.' || quote_ident(sequencename)
          WHERE table_schema = current_schema() AND is_identity = 'YES' AND last_value IS NOT NULL`,
  );
}

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
