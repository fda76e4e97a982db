import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Row } from './database.ts';
import type { Sql, SqlValue } from './sql.ts';
import { toSqliteError } from './sqlite-error.ts';

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

/** Far more than the program's stores have; only texts composed at run time could be without number. */
const statementsKept = 500;

export type SqliteConnectionOptions = {
  readonly readOnly?: boolean;
  /** Milliseconds to wait for a lock of another process; the event loop is blocked meanwhile. */
  readonly timeout?: number;
};

/** Opens the file. Throws a `DatabaseError` for each failure, as do all calls on the connection. */
export function openSqliteConnection(
  path: string,
  options: SqliteConnectionOptions = {},
): SqliteConnection {
  const database = attempt(() => new DatabaseSync(path, options));
  const byTemplate = new WeakMap<readonly string[], StatementSync>();
  const byText = new Map<string, StatementSync>();

  const prepare = ({ strings }: Sql): StatementSync => {
    const known = byTemplate.get(strings);
    if (known !== undefined) return known;
    const statement = prepareText(strings.join('?'));
    if ('raw' in strings) byTemplate.set(strings, statement);
    return statement;
  };
  const prepareText = (text: string): StatementSync => {
    const statement = byText.get(text) ?? database.prepare(text);
    byText.delete(text);
    byText.set(text, statement);
    const [oldest = text] = byText.keys();
    if (byText.size > statementsKept) byText.delete(oldest);
    return statement;
  };

  return {
    get isInTransaction() {
      return database.isTransaction;
    },
    // Rows hold no blobs and no big integers: the former are never written, the latter refused by
    // node:sqlite, so what it answers is a Row.
    all: (statement) =>
      attempt(() => prepare(statement).all(...statement.values.map(toInput)) as Row[]),
    first: (statement) =>
      attempt(() => prepare(statement).get(...statement.values.map(toInput)) as Row | undefined),
    run: (statement) =>
      attempt(() => Number(prepare(statement).run(...statement.values.map(toInput)).changes)),
    execute: (text) => attempt(() => prepareText(text).run()),
    close: () => attempt(() => database.close()),
  };
}

/** node:sqlite binds every number as a float; an integer must count as one, as on PostgreSQL. */
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
