import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SqlValue } from '../../../src/kernel/database/sql.ts';
import { toInput } from './to-input.ts';

/** A row that was inserted, updated or deleted: its key before the change and its values after it. */
export type RowChange = {
  readonly table: string;
  readonly kind: 'insert' | 'update' | 'delete';
  readonly key: readonly SqlValue[];
  readonly row: readonly SqlValue[];
};

/** The changes of the tables since the last `forget`, in order. */
export type ChangeLog = {
  /** The changes after the first `after` ones. */
  read(after?: number): RowChange[];
  /** The number of logged changes. */
  count(): number;
  /** Empties the log. Call it before a commit, which would commit the log's own rows too. */
  forget(): void;
  /** Applies changes again. Throws if a row is not as it was before the change: two transactions changed it. */
  apply(changes: readonly RowChange[]): void;
};

export type LoggedTable = {
  readonly name: string;
  readonly primary: readonly string[];
  readonly columns: readonly string[];
};

/**
 * Logs changes by triggers, and applies them again by statements that are prepared once. SQLite's session extension
 * does the same, but reads the schema for each session and prepares statements for each changeset. That takes
 * ten times as long as the change.
 */
export function createChangeLog(database: DatabaseSync, tables: readonly LoggedTable[]): ChangeLog {
  const most = (lists: readonly (readonly string[])[]) =>
    Math.max(...lists.map(({ length }) => length));
  const keys = places('k', most(tables.map(({ primary }) => primary)));
  const values = places('v', most(tables.map(({ columns }) => columns)));
  database.exec(
    `CREATE TABLE row_changes (number INTEGER PRIMARY KEY, tab TEXT, kind TEXT, ${[...keys, ...values]})`,
  );
  const byName = new Map(
    tables.map((table) => {
      logChanges(database, table, { keys, values });
      return [table.name, { ...table, ...prepareChanges(database, table) }] as const;
    }),
  );
  const read = database.prepare('SELECT * FROM row_changes WHERE number > ? ORDER BY number');
  read.setReturnArrays(true);
  const count = database.prepare('SELECT COUNT(*) FROM row_changes');
  count.setReturnArrays(true);
  const forget = database.prepare('DELETE FROM row_changes');

  const toChange = ([, table, kind, ...logged]: SqlValue[]): RowChange => {
    const { primary, columns } = byName.get(String(table))!;
    return {
      table: String(table),
      kind: kind as RowChange['kind'], // as the triggers write it
      key: logged.slice(0, primary.length),
      row: logged.slice(keys.length, keys.length + columns.length),
    };
  };

  return {
    // The types do not say that rows are arrays here.
    read: (after = 0) => (read.all(after) as unknown as SqlValue[][]).map(toChange),
    count: () => Number((count.get() as unknown as number[])[0]),
    forget: () => void forget.run(),
    apply(changes) {
      for (const { table, kind, key, row } of changes) {
        const { insert, update, remove } = byName.get(table)!;
        const [statement, given] = {
          insert: [insert, row] as const,
          update: [update, [...row, ...key]] as const,
          delete: [remove, key] as const,
        }[kind];
        if (statement.run(...given.map(toInput)).changes !== 1) {
          throw new Error('Two transactions changed the same row: the model let them.');
        }
      }
    },
  };
}

function places(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

function logChanges(
  database: DatabaseSync,
  { name, primary, columns }: LoggedTable,
  { keys, values }: { readonly keys: readonly string[]; readonly values: readonly string[] },
): void {
  const after = columns.map((column) => `new.${column}`);
  const before = primary.map((column) => `old.${column}`);
  const logs = {
    insert: [values.slice(0, columns.length), after],
    update: [
      [...keys.slice(0, primary.length), ...values.slice(0, columns.length)],
      [...before, ...after],
    ],
    delete: [keys.slice(0, primary.length), before],
  };
  for (const [kind, [into = [], from = []]] of Object.entries(logs)) {
    database.exec(`
      CREATE TRIGGER row_changes_${kind}_${name} AFTER ${kind} ON ${name} BEGIN
        INSERT INTO row_changes (tab, kind, ${into}) VALUES ('${name}', '${kind}', ${from});
      END`);
  }
}

type Changing = Readonly<Record<'insert' | 'update' | 'remove', StatementSync>>;

function prepareChanges(database: DatabaseSync, { name, primary, columns }: LoggedTable): Changing {
  const isRow = primary.map((column) => `${column} = ?`).join(' AND ');
  return {
    insert: database.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => '?')})`),
    update: database.prepare(
      `UPDATE ${name} SET ${columns.map((column) => `${column} = ?`)} WHERE ${isRow}`,
    ),
    remove: database.prepare(`DELETE FROM ${name} WHERE ${isRow}`),
  };
}
