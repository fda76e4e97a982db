import type { Database } from '../database/database.ts';
import { listApplied } from '../database/migrate.ts';
import { BackupError } from './backup-error.ts';

/** Throws `OTHER_VERSION` unless both have the same migrations, and so the same tables. */
export async function refuseOtherVersion(one: Database, other: Database): Promise<void> {
  const [ids, others] = [await listApplied(one), await listApplied(other)];
  if (ids.join() === others.join()) return;
  throw new BackupError(
    'OTHER_VERSION',
    `The database in PostgreSQL has ${ids.length} migrations and this program has ${others.length}: use the version that the server runs, or start a server of this version on that database first.`,
  );
}
