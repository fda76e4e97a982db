import { DatabaseSync } from 'node:sqlite';
import { body, rowsClaimed, type StoreOperations, tables } from './store-operations.ts';

/** Bare node:sqlite, exactly as durable as our store: one fsync for each transaction. */
export function openRawSqlite(path: string): StoreOperations {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  for (const table of tables) database.exec(table);
  const insert = database.prepare('INSERT INTO notes (id, body) VALUES (?, ?)');
  const select = database.prepare('SELECT body FROM notes WHERE id = ?');
  const reset = database.prepare("UPDATE queue SET owner = ''");
  const claim = database.prepare(`
    WITH free AS MATERIALIZED (
      SELECT id FROM queue WHERE owner = '' ORDER BY id LIMIT ${rowsClaimed})
    UPDATE queue SET owner = ? WHERE id IN (SELECT id FROM free) RETURNING id`);
  const inTransaction = (work: () => void) => {
    database.exec('BEGIN IMMEDIATE');
    work();
    database.exec('COMMIT');
  };
  return {
    name: 'raw node:sqlite',
    write: (id) => void insert.run(id, body),
    writeBatch: (ids) =>
      inTransaction(() => {
        for (const id of ids) insert.run(id, body);
      }),
    read: (id) => select.get(id),
    claim: (owner) => claim.all(owner),
    resetQueue: () => reset.run(),
  };
}
