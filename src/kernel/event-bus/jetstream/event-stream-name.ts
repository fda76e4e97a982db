import type { Database } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { drawHex } from '../../random/draw-text.ts';
import type { Random } from '../../random/random.ts';

/**
 * The name of the stream that belongs to a database, made at the first call. Two installations on one NATS server,
 * or a new database, must not get each other's events: their ids are the same.
 */
export async function eventStreamName(database: Database, random: Random): Promise<string> {
  const name = `tradewind-${drawHex(random, 6)}`;
  await database.run(sql`
    INSERT INTO event_stream (id, name) VALUES (1, ${name}) ON CONFLICT (id) DO NOTHING`);
  const row = await database.first<{ name: string }>(sql`SELECT name FROM event_stream`);
  return row?.name ?? name;
}
