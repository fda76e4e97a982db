import { createHash } from 'node:crypto';
import {
  type Database,
  DatabaseError,
  type Dialect,
  type Queries,
  type Transaction,
} from './database.ts';
import { sql, sqlText } from './sql.ts';

/** One step forward of the schema. Once released it is never changed: a later one corrects it. */
export type Migration = {
  /** Unique in the program, with the domain and the order: `events-0001-subscriptions`. */
  readonly id: string;
  statements(dialect: Dialect): readonly string[];
};

/** An hour: waiting for the lock, or for an index on a large table, may take its time. */
const patienceMs = 60 * 60_000;

/**
 * Brings the schema up to date: applies, in the order of the list, each migration that the database
 * has not seen. All of it is one transaction under a lock, so that of several processes starting at
 * once one does the work, and a failing migration leaves the schema as it was.
 *
 * The list holds the migrations of all domains, whichever of them this process runs. Throws
 * `MIGRATION_REFUSED` if an applied migration was edited since, or is not in the list, which means
 * that a newer program has used the database.
 */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<void> {
  refuseDuplicates(migrations);
  const work = async (tx: Transaction) => {
    if (database.engine === 'postgres') {
      for (const limit of ['statement_timeout', 'lock_timeout']) {
        await tx.run(sqlText(`SET LOCAL ${limit} = ${patienceMs}`));
      }
    }
    await tx.first(database.dialect.lock('migrations'));
    await tx.run(sql`
      CREATE TABLE IF NOT EXISTS migrations (id TEXT PRIMARY KEY, checksum TEXT NOT NULL)`);
    const applied = await readApplied(tx);
    refuseUnknown(applied, migrations);
    for (const { id, statements } of migrations) {
      const texts = statements(database.dialect);
      const checksum = createHash('sha256').update(texts.join(';')).digest('hex');
      const before = applied.get(id);
      if (before === checksum) continue;
      if (before !== undefined) {
        throw new DatabaseError(
          'MIGRATION_REFUSED',
          `The migration ${id} was changed after it had been applied to this database: restore its text and correct it by a later migration.`,
        );
      }
      for (const text of texts) await tx.run(sqlText(text));
      await tx.run(sql`INSERT INTO migrations (id, checksum) VALUES (${id}, ${checksum})`);
    }
  };
  await database.transaction(work, { patienceMs });
}

/** The ids of the migrations that a database has seen, sorted. */
export async function listApplied(queries: Queries): Promise<string[]> {
  const rows = await queries.all<{ id: string }>(sql`SELECT id FROM migrations`);
  // Sorted here and not by the database, since the engines sort differently.
  return rows.map(({ id }) => id).sort();
}

async function readApplied(tx: Transaction): Promise<Map<string, string>> {
  const rows = await tx.all<{ id: string; checksum: string }>(
    sql`SELECT id, checksum FROM migrations`,
  );
  return new Map(rows.map(({ id, checksum }) => [id, checksum]));
}

function refuseDuplicates(migrations: readonly Migration[]): void {
  const ids = migrations.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice === undefined) return;
  throw new DatabaseError(
    'MIGRATION_REFUSED',
    `Two migrations are called ${twice}: give the later one an id of its own.`,
  );
}

function refuseUnknown(applied: ReadonlyMap<string, string>, known: readonly Migration[]): void {
  const unknown = [...applied.keys()].filter(
    (id) => !known.some((migration) => migration.id === id),
  );
  if (unknown.length === 0) return;
  throw new DatabaseError(
    'MIGRATION_REFUSED',
    `The database has migrations that this program does not know (${unknown.join(', ')}): a newer version has used it. Run that version, or restore a backup from before.`,
  );
}
