import type { Database } from '../database/database.ts';
import { listApplied } from '../database/migrate.ts';
import { BackupError } from './backup-error.ts';

/** Both were brought up by their own migrations; with the same ones they have the same tables. */
export async function refuseOtherVersion(one: Database, other: Database): Promise<void> {
  const [ids, others] = [await listApplied(one), await listApplied(other)];
  if (ids.join() === others.join()) return;
  throw new BackupError(
    'OTHER_VERSION',
    `PostgreSQL has ${ids.length} migrations and this program ${others.length}: use the version that the server runs, or start this one on it first.`,
  );
}
