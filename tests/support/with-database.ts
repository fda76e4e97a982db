import type { Database } from '../../src/kernel/database/database.ts';
import { type OpenDatabaseOptions, openDatabase } from '../../src/kernel/database/open-database.ts';

/** Opens a database for some work, and closes it afterwards. */
export async function withDatabase(
  options: OpenDatabaseOptions,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const database = await openDatabase(options);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}
