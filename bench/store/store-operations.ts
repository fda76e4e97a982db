import type { Database } from '../../src/kernel/database/database.ts';
import { sql, sqlText } from '../../src/kernel/database/sql.ts';

/** The same operations for our database port and for the driver below it. */
export type StoreOperations = {
  readonly name: string;
  write(id: string): Promise<void> | void;
  writeBatch(ids: readonly string[]): Promise<void> | void;
  read(id: string): Promise<unknown> | unknown;
  /** Claims {@link rowsClaimed} free rows of the queue; `resetQueue` frees all of them again. */
  claim(owner: string): Promise<unknown> | unknown;
  resetQueue(): Promise<unknown> | unknown;
};

export const rowsClaimed = 10;
export const queueLength = 2_000;
export const body = 'x'.repeat(100);

/** The tables, and a full queue. */
export const tables = [
  'CREATE TABLE notes (id TEXT PRIMARY KEY, body TEXT NOT NULL)',
  `CREATE TABLE queue (id BIGINT PRIMARY KEY, owner TEXT NOT NULL)`,
  `CREATE INDEX queue_free ON queue (id) WHERE owner = ''`,
  `WITH RECURSIVE numbers (n) AS (
    SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${queueLength})
  INSERT INTO queue (id, owner) SELECT n, '' FROM numbers`,
];

export async function createPortOperations(database: Database): Promise<StoreOperations> {
  for (const table of tables) await database.run(sqlText(table));
  return {
    name: 'port',
    async write(id) {
      await database.run(sql`INSERT INTO notes (id, body) VALUES (${id}, ${body})`);
    },
    async writeBatch(ids) {
      await database.transaction(async (tx) => {
        for (const id of ids) {
          await tx.run(sql`INSERT INTO notes (id, body) VALUES (${id}, ${body})`);
        }
      });
    },
    read: (id) => database.first(sql`SELECT body FROM notes WHERE id = ${id}`),
    claim: (owner) =>
      database.all(sql`
        WITH free AS MATERIALIZED (
          SELECT id FROM queue WHERE owner = '' ORDER BY id
          LIMIT ${rowsClaimed} ${database.dialect.skipLocked})
        UPDATE queue SET owner = ${owner} WHERE id IN (SELECT id FROM free) RETURNING id`),
    resetQueue: () => database.run(sql`UPDATE queue SET owner = ''`),
  };
}
