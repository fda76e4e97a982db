import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { createBoundedMap } from '../../wait/remembered.ts';
import { DatabaseError, type Row } from '../database.ts';
import type { Sql, SqlValue } from '../sql.ts';

/** One connection to an SQLite file, with its prepared statements. Everything it does is blocking. */
export type SqliteConnection = {
  readonly isInTransaction: boolean;
  all(statement: Sql): Row[];
  first(statement: Sql): Row | undefined;
  run(statement: Sql): number;
  /** Runs text that is part of the program, such as `PRAGMA` or `COMMIT`. */
  execute(text: string): void;
  close(): void;
};

/** Far more than the program's stores have; only texts composed at run time are unbounded. */
const statementsKept = 500;

type SqliteConnectionOptions = {
  readonly readOnly?: boolean;
  /** Milliseconds to wait for a lock of another process; the event loop is blocked meanwhile. */
  readonly timeout?: number;
  /** The file may be hostile: nothing in its schema calls a function with effects or changes the schema itself. */
  readonly isUntrusted?: boolean;
};

/** Far above the longest text that is ever stored. */
const longestValue = 64 * 1024 * 1024;
const untrusting = { defensive: true, limits: { length: longestValue } } as const;

/** Opens the file. Throws a `DatabaseError` for each failure, as do all calls on the connection. */
export function openSqliteConnection(
  path: string,
  { isUntrusted = false, ...options }: SqliteConnectionOptions = {},
): SqliteConnection {
  const database = attempt(
    () => new DatabaseSync(path, { ...options, ...(isUntrusted ? untrusting : {}) }),
  );
  if (isUntrusted) database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
  const byTemplate = new WeakMap<readonly string[], Prepared>();
  const byText = createBoundedMap<string, Prepared>(statementsKept);

  const prepare = ({ strings }: Sql): Prepared => {
    const known = byTemplate.get(strings);
    if (known !== undefined) return known;
    const statement = prepareText(sqliteText(strings));
    if ('raw' in strings) byTemplate.set(strings, statement);
    return statement;
  };
  const prepareText = (text: string): Prepared => {
    const known = byText.get(text);
    if (known !== undefined) return known;
    const statement = toPrepared(database.prepare(text));
    byText.set(text, statement);
    return statement;
  };

  return {
    get isInTransaction() {
      return database.isTransaction;
    },
    all: (statement) =>
      attempt(() => {
        const { rows, columns } = prepare(statement);
        return rows.all(...statement.values.map(toInput)).map((values) => toRow(columns, values));
      }),
    first: (statement) =>
      attempt(() => {
        const { rows, columns } = prepare(statement);
        const values = rows.get(...statement.values.map(toInput));
        return values && toRow(columns, values);
      }),
    run: (statement) =>
      attempt(() => Number(prepare(statement).rows.run(...statement.values.map(toInput)).changes)),
    execute: (text) => attempt(() => prepareText(text).rows.run()),
    close: () => attempt(() => database.close()),
  };
}

type Prepared = { readonly rows: StatementSync; readonly columns: readonly string[] };

/** Reads the columns once: only migrations could change them, and those run before all else. */
function toPrepared(rows: StatementSync): Prepared {
  rows.setReturnArrays(true);
  return { rows, columns: rows.columns().map(({ name }) => name) };
}

/**
 * Builds the row here, since the objects of node:sqlite are hash tables, which cost half as much again
 * to read. `answered` is a list of values, though the types of node:sqlite do not say so.
 */
function toRow(columns: readonly string[], answered: unknown): Row {
  // Rows hold no blobs and no big integers: the former are never written, the latter refused by
  // node:sqlite.
  const values = answered as readonly SqlValue[];
  const row: Record<string, SqlValue> = {};
  for (let index = 0; index < columns.length; index++) {
    row[columns[index] ?? ''] = values[index] ?? null;
  }
  return row;
}

/** node:sqlite binds every number as a float; an integer must stay an integer, as on PostgreSQL. */
function toInput(value: SqlValue): SQLInputValue {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

function attempt<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    throw toSqliteError(error);
  }
}

/** Result codes of https://www.sqlite.org/rescode.html */
const uniqueViolations = new Set([1555 /* PRIMARYKEY */, 2067 /* UNIQUE */, 2579 /* ROWID */]);
const full = 13;
/** Primary codes of errors in the file, the disk or a foreign lock, not in the statement. */
const unavailable = new Set([
  5 /* BUSY */, 8 /* READONLY */, 10 /* IOERR */, 11 /* CORRUPT */, 14 /* CANTOPEN */,
  26 /* NOTADB */,
]);

/** Maps an error of node:sqlite to the code that both engines share. */
export function toSqliteError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error('node:sqlite threw no error', { cause: error });
  if ('code' in error && error.code === 'ERR_OUT_OF_RANGE') {
    return new DatabaseError(
      'STATEMENT_REFUSED',
      `${error.message}: store integers beyond 2^53 as text.`,
    );
  }
  if (!('errcode' in error) || typeof error.errcode !== 'number') return error;
  if (uniqueViolations.has(error.errcode)) {
    return new DatabaseError('UNIQUE_VIOLATION', `The row exists already: ${error.message}.`);
  }
  if ((error.errcode & 0xff) === full) {
    return new DatabaseError(
      'UNAVAILABLE',
      `The disk of the database file is full (${error.message}): make room on it.`,
      { details: { sqliteCode: error.errcode, isDiskFull: true } },
    );
  }
  if (unavailable.has(error.errcode & 0xff)) {
    return new DatabaseError(
      'UNAVAILABLE',
      `The database file cannot be used (${error.message}): check that the disk has room, the file is a database and may be written, and no other tool holds it.`,
      { details: { sqliteCode: error.errcode } },
    );
  }
  return new DatabaseError('STATEMENT_REFUSED', `SQLite refused a statement: ${error.message}.`, {
    details: { sqliteCode: error.errcode },
  });
}

/**
 * The text that SQLite prepares, with `+?` for each value. SQLite's planner may read the value of a bare `?`: the
 * number of a `LIMIT`, or a bound that decides whether a partial index can be used. It then prepares the statement
 * again at each run, which is most of the cost of a short statement. The planner does not read a value inside an
 * expression, and the `+` does not change it.
 */
export function sqliteText(strings: readonly string[]): string {
  return strings.join('+?');
}
