import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { BackupError } from './backup-error.ts';

/** Both were brought up by their own migrations; with the same ones they have the same tables. */
export async function refuseOtherVersion(one: Database, other: Database): Promise<void> {
  const idsOf = async (database: Database) => {
    const rows = await database.all<{ id: string }>(sql`SELECT id FROM migrations ORDER BY id`);
    return rows.map(({ id }) => id).sort();
  };
  const [ids, others] = [await idsOf(one), await idsOf(other)];
  if (ids.join() === others.join()) return;
  throw new BackupError(
    'OTHER_VERSION',
    `PostgreSQL has ${ids.length} migrations and this program ${others.length}: use the version that the server runs, or start this one on it first.`,
  );
}
