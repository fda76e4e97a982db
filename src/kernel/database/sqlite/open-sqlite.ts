import { closeSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileError, openRegular } from '../../process/regular-file.ts';
import { type Clock, systemClock } from '../../wait/clock.ts';
import { boundTurns, type InTurn } from '../../wait/turns.ts';
import {
  type Database,
  DatabaseError,
  type Dialect,
  type Queries,
  type Row,
  type Transactional,
  type Wake,
} from '../database.ts';
import { type Sql, sql, sqlText } from '../sql.ts';
import { createTransactionGuard } from '../transaction-guard.ts';
import { keepToOwner, lockDataFile } from './data-file.ts';
import { createGroupCommit, type Writes } from './group-commit.ts';
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts';

type OpenSqliteOptions = {
  readonly clock?: Clock;
  /** Leaves the permissions of existing files alone. */
  readonly keepsModes?: boolean;
};

/** A tool such as the sqlite3 shell may hold the file for a moment. */
const foreignLockPatience = 1_000;

/**
 * Pages of 4 KiB. With SQLite's default of 1,000, every hundredth small write triggers a checkpoint of the
 * log, which takes four times as long as the write. The more writes lie between, the more of them touch the
 * same pages, which are copied once.
 */
const pagesInLog = 8_000;

/**
 * Opens the embedded engine on a file, which it creates with its directory if it is missing. Writes go through one
 * connection with group commit, reads outside a transaction through another. The file belongs to this process until
 * it closes: another one that opens it is refused with `IN_USE`. Throws `UNAVAILABLE` if the file cannot be created
 * or is damaged.
 *
 * A statement and an fsync block the event loop while they last; that is the price of having no second process.
 * Relaxed writes get their fsync with the next durable write, or at the next checkpoint.
 */
export async function openSqlite(
  path: string,
  { clock = systemClock, keepsModes = false }: OpenSqliteOptions = {},
): Promise<Database> {
  makeDirectory(dirname(path));
  refuseUnwritable(path);
  for (const file of keepsModes ? [] : [`${path}.lock`, path]) keepToOwner(file);
  const unlock = lockDataFile(path);
  const writer = openWriter(path, { unlock, clock });
  const reader = openSqliteConnection(path, { readOnly: true });
  const commits = createGroupCommit(writer, {
    turn: clock.turn,
    refuseIfGone: createFileCheck(path),
  });
  const guard = createTransactionGuard();
  const inTurn = boundTurns(clock);
  const listeners = new Map<string, Set<Wake>>();
  let isClosed = false;

  const refuseMisuse = () => {
    guard.refuseInside();
    if (isClosed) throw new DatabaseError('MISUSED', `The database ${path} was used after close.`);
  };
  const writingBy = ({ write, transaction }: Writes): Transactional => {
    const answer = async <T>(
      statement: Sql,
      ask: (connection: SqliteConnection) => T,
    ): Promise<T> => {
      refuseMisuse();
      if (!isRead(statement)) return write(() => ask(writer));
      return inTurn(() => ask(reader));
    };
    return {
      dialect: sqliteDialect,
      // Here and below: the caller asserts the type of the row it asked for.
      all: <T extends Row>(statement: Sql) =>
        answer(statement, (connection) => connection.all(statement) as T[]),
      first: <T extends Row>(statement: Sql) =>
        answer(statement, (connection) => connection.first(statement) as T | undefined),
      async run(statement) {
        refuseMisuse();
        return write(() => writer.run(statement));
      },
      async transaction(work) {
        refuseMisuse();
        const { value, notices } = await transaction(() =>
          guard.run(sqliteQueries(writer, inTurn), work),
        );
        for (const [channel, details] of notices) {
          for (const wake of listeners.get(channel) ?? []) {
            for (const detail of details) wake(detail);
          }
        }
        return value;
      },
    };
  };

  return {
    engine: 'sqlite',
    ...writingBy(commits),
    relaxed: writingBy(commits.relaxed),
    async listen(channel, wake) {
      const wakes = listeners.get(channel) ?? new Set();
      listeners.set(channel, wakes.add(wake));
      return async () => void wakes.delete(wake);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await commits.idle();
      reader.close();
      writer.close();
      unlock();
    },
  };
}

/**
 * Throws `UNAVAILABLE` once the file at the path is no longer the one that was opened. The operating
 * system would accept writes to the removed file while it is open, and drop these acknowledged writes at
 * the last close.
 */
function createFileCheck(path: string): () => void {
  const { ino } = statSync(path);
  return () => {
    if (statSync(path, { throwIfNoEntry: false })?.ino === ino) return;
    throw new DatabaseError(
      'UNAVAILABLE',
      `The database file ${path} was removed or replaced while it was in use: put it back, or restart the server on the file that is there now.`,
    );
  };
}

function openWriter(
  path: string,
  { unlock, clock }: { readonly unlock: () => void; readonly clock: Clock },
): SqliteConnection {
  try {
    const writer = openSqliteConnection(path, { timeout: foreignLockPatience });
    const mode = writer.first(sql`PRAGMA journal_mode = WAL`);
    if (mode?.journal_mode !== 'wal') {
      throw new DatabaseError(
        'UNAVAILABLE',
        `The file system under ${path} cannot hold a write-ahead log: choose a data directory on a local disk.`,
      );
    }
    refuseDamage(writer, { path, clock });
    writer.execute(`PRAGMA wal_autocheckpoint = ${pagesInLog}`);
    return writer;
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The reading connection cannot write, so a wrong guess here only gets the statement refused. */
function isRead({ strings }: Sql): boolean {
  if (/^\s*(select|values|explain)\b/i.test(strings[0] ?? '')) return true;
  return (
    /^\s*with\b/i.test(strings[0] ?? '') &&
    !strings.some((text) => /\b(insert|update|delete|replace)\b/i.test(text))
  );
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusableDirectory(`${path} cannot be made`, error);
  }
}

/** Tries it with the lock file, since the permissions of a directory do not show a read-only mount. */
function refuseUnwritable(path: string): void {
  try {
    const { O_WRONLY, O_APPEND, O_CREAT } = constants;
    closeSync(openRegular(`${path}.lock`, O_WRONLY | O_APPEND | O_CREAT, 0o600));
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw unusableDirectory(`${dirname(path)} cannot be written`, error);
  }
}

function unusableDirectory(what: string, cause: unknown): DatabaseError {
  const reason = cause instanceof Error ? cause.message : 'unknown reason';
  const isDiskFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
  const mend = isDiskFull ? 'make room on its disk' : 'let this user write there';
  return new DatabaseError(
    'UNAVAILABLE',
    `The data directory ${what} (${reason}): ${mend}, or choose another by TRADEWIND_DATA_DIR.`,
    { cause, details: { isDiskFull } },
  );
}

const sqliteDialect: Dialect = {
  // One writer: nobody else can hold a row.
  skipLocked: sql``,
  forUpdate: sql``,
  lock: () => sql`SELECT 1`,
  identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  sortedText: 'TEXT',
};

/** The queries of the port on one connection. The caller asserts the type of the row it asked for, hence the casts. */
export function sqliteQueries(
  connection: SqliteConnection,
  ask: InTurn = async (statement) => statement(),
): Queries {
  return {
    dialect: sqliteDialect,
    all: <T extends Row>(statement: Sql) => ask(() => connection.all(statement) as T[]),
    first: <T extends Row>(statement: Sql) =>
      ask(() => connection.first(statement) as T | undefined),
    run: (statement) => ask(() => connection.run(statement)),
  };
}

/**
 * Milliseconds for which a start looks for damage. SQLite reads a gigabyte in about five seconds; if a
 * file takes longer, the remaining tables are not checked.
 */
const budget = 10_000;

/**
 * Checks the embedded file, table by table with their indexes, for pages that were overwritten or are
 * inconsistent (D10). Does not notice a value that was changed in place: SQLite keeps no checksums.
 * Throws `UNAVAILABLE`, which names the file and the way out.
 */
function refuseDamage(
  connection: SqliteConnection,
  { path, clock }: { readonly path: string; readonly clock: Pick<Clock, 'elapsed'> },
): void {
  const since = clock.elapsed();
  for (const table of tablesOf(connection, path)) {
    if (clock.elapsed() - since > budget) return;
    const found = damageOf(connection, table);
    if (found !== undefined) throw damaged(path, `in table ${table}: ${found}`);
  }
}

function tablesOf(connection: SqliteConnection, path: string): string[] {
  try {
    const rows = connection.all(
      sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name`,
    );
    return rows.map(({ name }) => String(name));
  } catch (error) {
    throw damaged(path, error instanceof Error ? error.message : String(error));
  }
}

function damageOf(connection: SqliteConnection, table: string): string | undefined {
  try {
    // The name comes from the schema of the file; in quotes it cannot be read as SQL.
    const text = `PRAGMA quick_check('${table.replaceAll("'", "''")}')`;
    const found = connection.all(sqlText(text)).map(({ quick_check: line }) => String(line));
    // The first line is about the tree, further ones are about its pages.
    return found.every((line) => line === 'ok')
      ? undefined
      : found.join(' ').replaceAll('\n', ' ').slice(0, 300);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function damaged(path: string, found: string): DatabaseError {
  return new DatabaseError(
    'UNAVAILABLE',
    `The database file ${path} is damaged (${found}): keep a copy of it, then put a backup in its place, or save what is left with: sqlite3 ${path} .recover`,
  );
}
