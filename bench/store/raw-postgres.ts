import { Pool } from 'pg';
import { body, rowsClaimed, type StoreOperations, tables } from './store-operations.ts';

/** The bare pg driver, with prepared statements and as many connections as our store. */
export async function openRawPostgres(
  url: string,
): Promise<StoreOperations & { close(): Promise<void> }> {
  const pool = new Pool({ connectionString: url, max: 10, pipeline: true });
  // Ignored: when the pool ends, it drops its connections a moment before they close.
  pool.on('error', () => {});
  for (const table of tables) await pool.query(table);
  const insert = { name: 'insert', text: 'INSERT INTO notes (id, body) VALUES ($1, $2)' };
  const select = { name: 'select', text: 'SELECT body FROM notes WHERE id = $1' };
  const claim = {
    name: 'claim',
    text: `WITH free AS MATERIALIZED (
        SELECT id FROM queue WHERE owner = '' ORDER BY id LIMIT ${rowsClaimed} FOR UPDATE SKIP LOCKED)
      UPDATE queue SET owner = $1 WHERE id IN (SELECT id FROM free) RETURNING id`,
  };
  return {
    name: 'raw pg',
    async write(id) {
      await pool.query({ ...insert, values: [id, body] });
    },
    async writeBatch(ids) {
      const client = await pool.connect();
      await client.query('BEGIN');
      for (const id of ids) await client.query({ ...insert, values: [id, body] });
      await client.query('COMMIT');
      client.release();
    },
    read: (id) => pool.query({ ...select, values: [id] }),
    claim: (owner) => pool.query({ ...claim, values: [owner] }),
    resetQueue: () => pool.query("UPDATE queue SET owner = ''"),
    close: () => pool.end(),
  };
}
