import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { SqlValue } from '../../../src/kernel/database/sql.ts';
import { sqliteText } from '../../../src/kernel/database/sqlite/sqlite-connection.ts';
import { createChangeLog, type RowChange } from './change-log.ts';
import {
  keyColumns,
  type Locking,
  readStatement,
  type Statement,
  type TableKeys,
} from './read-statement.ts';
import { toInput } from './to-input.ts';

/** What a transaction has written so far. No other transaction sees it. */
export type Uncommitted = { readonly changes: RowChange[] };

export type Written = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  /** The locks that the statement takes, in the order in which it takes them. */
  readonly locks: readonly string[];
};

export class UniqueViolation extends Error {}

/** Whether a lock is on a row, and not on a value in a unique index. */
export function isRow(lock: string): boolean {
  return !lock.slice(0, lock.indexOf(' ')).endsWith('#');
}

export type RowStore<T extends Uncommitted> = {
  /**
   * Runs a statement on the committed rows and those that the transaction has written. `judge` gets the locks that it
   * would take, before anything is kept. If `judge` refuses, the result is undefined. Hidden rows do not exist for
   * this statement.
   */
  run(transaction: T, asked: Asked): Written | undefined;
  commit(transaction: T, isDurable: boolean): void;
  rollback(transaction: T): void;
  read(text: string): Statement;
  /** Undoes every commit after the last durable one, as the crash of a server does. */
  crash(): void;
  /** Brings every table back to its first rows. */
  reset(): void;
  /** Every row of every table, for comparison. */
  dump(): Record<string, unknown[]>;
};

export type Asked = {
  readonly statement: Statement;
  readonly values: readonly SqlValue[];
  readonly hidden: ReadonlySet<string>;
  /** The first `read` locks are on rows that the statement only reads. */
  judge(locks: readonly string[], read: number): boolean;
};

/**
 * The rows of a simulated PostgreSQL, in an SQLite database that holds one open transaction at a time. The uncommitted
 * changes of the other transactions are kept as a list, and applied again when it is their turn. The store checks no
 * locks: the caller must see to it that no two transactions change the same row.
 */
export function openRowStore<T extends Uncommitted>(schema: readonly string[]): RowStore<T> {
  const database = new DatabaseSync(':memory:');
  // Uncompressed, and with the header that PostgreSQL gives a text.
  database.function('pg_column_size', { deterministic: true }, (value) =>
    value === null ? null : Buffer.byteLength(String(value)) + 4,
  );
  for (const text of schema) database.exec(text);
  const tables = readTables(database);
  // The rows that migrations write.
  const firstRows = [...tables.keys()].map((table) => ({
    table,
    rows: database.prepare(`SELECT * FROM ${table}`).all(),
  }));
  const prepared = new Map<string, Prepared>();
  const statements = new Map<string, Statement>();
  const sequences = new Map<string, number>();
  const log = createChangeLog(
    database,
    [...tables].map(([name, { primary }]) => ({
      name,
      primary,
      columns: database
        .prepare(`PRAGMA table_info(${name})`)
        .all()
        .map((column) => String(column.name)),
    })),
  );
  let committed: { changes: readonly RowChange[]; isDurable: boolean }[] = [];
  let current: T | undefined;

  const prepare = (text: string): Prepared => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = database.prepare(sqliteText(text.split('?')));
    statement.setReturnArrays(true);
    const fresh = { statement, columns: statement.columns().map(({ name }) => name) };
    prepared.set(text, fresh);
    return fresh;
  };
  const all = (text: string, values: readonly SqlValue[] = []) =>
    // The types do not say that rows are arrays here.
    prepare(text).statement.all(...values.map(toInput)) as unknown as SqlValue[][];
  const execute = (text: string) => void prepare(text).statement.run();
  /** Saves what the current transaction has written, and rolls it back in SQLite. */
  const leave = () => {
    if (current === undefined) return;
    current.changes.push(...log.read());
    abandon();
  };
  const abandon = () => {
    if (current !== undefined) execute('ROLLBACK');
    current = undefined;
  };
  const enter = (transaction: T) => {
    if (current === transaction) return;
    leave();
    execute('BEGIN');
    current = transaction;
    if (transaction.changes.length === 0) return;
    log.apply(transaction.changes);
    log.forget();
  };
  /** Brings every table back to its first rows, then applies some changes. */
  const begin = (changes: readonly RowChange[] = []) => {
    execute('BEGIN');
    for (const { table, rows } of firstRows) {
      execute(`DELETE FROM ${table}`);
      for (const row of rows) {
        const places = Object.keys(row).map(() => '?');
        prepare(`INSERT INTO ${table} VALUES (${places})`).statement.run(...Object.values(row));
      }
    }
    log.apply(changes);
    log.forget();
    execute('COMMIT');
  };
  const keysOf = (table: string) => tables.get(table)!;
  const primaryKey = (table: string, row: readonly SqlValue[]) => `${table} ${JSON.stringify(row)}`;
  const hide = (key: string) => {
    const end = key.indexOf(' ');
    const table = key.slice(0, end);
    const condition = keysOf(table).primary.map((column) => `${column} = ?`);
    const values: SqlValue[] = JSON.parse(key.slice(end + 1));
    prepare(`DELETE FROM ${table} WHERE ${condition.join(' AND ')}`).statement.run(
      ...values.map(toInput),
    );
  };

  /** The engine never generates a number twice, even if the transaction that got it was rolled back. */
  const withSequence = (table: string, insert: () => SqlValue[][]): SqlValue[][] => {
    const before = sequences.get(table) ?? 0;
    all('DELETE FROM sqlite_sequence WHERE name = ?', [table]);
    all('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [table, before]);
    const rows = insert();
    const [[last] = []] = all('SELECT seq FROM sqlite_sequence WHERE name = ?', [table]);
    sequences.set(table, Number(last ?? before));
    return rows;
  };

  const locksOf = (target: string, row: readonly SqlValue[]): string[] => {
    const keys = keysOf(target);
    const own = row.slice(row.length - keyColumns(keys).length);
    const locks = [primaryKey(target, own.slice(0, keys.primary.length))];
    let from = keys.primary.length;
    for (const [index, columns] of keys.unique) {
      const values = own.slice(from, from + columns.length);
      from += columns.length;
      if (!values.includes(null)) locks.push(`${index}# ${JSON.stringify(values)}`);
    }
    return locks;
  };

  const runWrite = (transaction: T, asked: Asked): Written | undefined => {
    const { statement, values, hidden } = asked;
    const { target, locking, text } = statement;
    enter(transaction);
    execute('SAVEPOINT statement');
    let isKept = false;
    try {
      for (const key of hidden) hide(key);
      // Hiding deletes rows, which is no change of the statement: below, only the later changes are applied again.
      const hides = hidden.size > 0 ? log.count() : undefined;
      const locked = locking ? findLocked(locking, values) : [];
      const isNumbered = target !== undefined && statement.isInsert && keysOf(target).isIdentity;
      const rows = isNumbered ? withSequence(target, () => all(text, values)) : all(text, values);
      const touched = target === undefined ? [] : rows.flatMap((row) => locksOf(target, row));
      const locks = [...locked, ...touched];
      if (!asked.judge(locks, locked.length)) return undefined;
      if (hides !== undefined) {
        const changes = log.read(hides);
        execute('ROLLBACK TO statement');
        log.apply(changes);
      }
      isKept = true;
      const { columns } = prepare(text);
      const own = target === undefined ? 0 : keyColumns(keysOf(target)).length;
      const shown = columns.slice(0, columns.length - own);
      return { columns: shown, rows: rows.map((row) => row.slice(0, shown.length)), locks };
    } catch (error) {
      throw toViolation(error);
    } finally {
      if (!isKept) execute('ROLLBACK TO statement');
      execute('RELEASE statement');
    }
  };
  const findLocked = ({ table, text, values: used }: Locking, values: readonly SqlValue[]) =>
    all(
      text,
      used.map((index) => values[index] ?? null),
    ).map((row) => primaryKey(table, row));

  return {
    read(text) {
      const known = statements.get(text);
      if (known !== undefined) return known;
      const statement = readStatement(text, tables);
      statements.set(text, statement);
      return statement;
    },
    run(transaction, asked) {
      const { statement, values } = asked;
      if (statement.target !== undefined || statement.locking !== undefined) {
        return runWrite(transaction, asked);
      }
      if (transaction.changes.length > 0) enter(transaction);
      else if (current !== transaction) leave();
      const { text } = statement;
      return { columns: prepare(text).columns, rows: all(text, values), locks: [] };
    },
    commit(transaction, isDurable) {
      if (current !== transaction) {
        if (transaction.changes.length === 0) return;
        enter(transaction);
      }
      transaction.changes.push(...log.read());
      log.forget();
      execute('COMMIT');
      current = undefined;
      committed.push({ changes: transaction.changes, isDurable });
    },
    rollback(transaction) {
      if (current === transaction) abandon();
      transaction.changes.length = 0;
    },
    crash() {
      abandon();
      const kept = committed.slice(0, committed.findLastIndex(({ isDurable }) => isDurable) + 1);
      begin(kept.flatMap(({ changes }) => changes));
      committed = kept;
    },
    reset() {
      abandon();
      begin();
      if ([...tables.values()].some(({ isIdentity }) => isIdentity)) {
        execute('DELETE FROM sqlite_sequence');
      }
      sequences.clear();
      committed = [];
    },
    dump() {
      leave();
      return Object.fromEntries(
        [...tables.keys()].map((table) => [table, all(`SELECT * FROM ${table} ORDER BY 1`)]),
      );
    },
  };
}

type Prepared = { readonly statement: StatementSync; readonly columns: readonly string[] };

function toViolation(error: unknown): unknown {
  const isUnique = error instanceof Error && /UNIQUE constraint failed/.test(error.message);
  return isUnique ? new UniqueViolation(error.message) : error;
}

function readTables(database: DatabaseSync): Map<string, TableKeys> {
  const names = database
    .prepare(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all();
  return new Map(
    names.map(({ name, sql }) => {
      const columns = database.prepare(`PRAGMA table_info(${name})`).all();
      const primary = columns.filter(({ pk }) => Number(pk) > 0);
      if (primary.length === 0) throw new Error(`The table ${name} has no primary key.`);
      const indexes = database
        .prepare(`PRAGMA index_list(${name})`)
        .all()
        .filter(({ unique, origin }) => unique === 1 && origin !== 'pk');
      const unique = indexes.map(({ name: index }): [string, string[]] => [
        String(index),
        database
          .prepare(`PRAGMA index_info(${index})`)
          .all()
          .map((column) => String(column.name)),
      ]);
      return [
        String(name),
        {
          primary: primary
            .sort((a, b) => Number(a.pk) - Number(b.pk))
            .map((column) => String(column.name)),
          unique: new Map(unique),
          isIdentity: /AUTOINCREMENT/.test(String(sql)),
        },
      ];
    }),
  );
}
