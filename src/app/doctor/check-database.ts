import { existsSync } from 'node:fs';
import type { Database } from '../../kernel/database/database.ts';
import { openDatabase } from '../../kernel/database/open-database.ts';
import { sql } from '../../kernel/database/sql.ts';
import { dataFileIn } from '../../kernel/database/sqlite/data-file-in.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import type { Config } from '../settings/all-settings.ts';
import type { Finding } from './finding.ts';

/**
 * Whether the store opens and answers, or is in use by the server that runs here already. Returns the open
 * database for the clock check; the caller closes it. Creates no file and migrates nothing.
 */
export async function checkDatabase(
  { dataDir, databaseUrl }: Config['server'],
  { isServed }: { readonly isServed: boolean },
): Promise<{ finding: Finding; database?: Database }> {
  const kind = databaseUrl === undefined ? `embedded, in ${dataDir}` : 'PostgreSQL';
  const well = (detail: string): Finding => ({
    check: 'database',
    ok: true,
    detail: `${kind}, ${detail}`,
  });
  if (databaseUrl === undefined && !existsSync(dataFileIn(dataDir))) {
    return { finding: well('will be created at the first start') };
  }
  let database: Database | undefined;
  try {
    database = await openDatabase({ dataDir, url: databaseUrl, keepsModes: true });
    await database.first(sql`SELECT 1 AS one`);
    return { finding: well('opens and answers'), database };
  } catch (error) {
    await database?.close();
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'IN_USE' && isServed) {
      return { finding: well('in use by the Tradewind that answers on the port') };
    }
    // The message of a file in use explains how to run a second server. That does not help here, so the finding
    // has its own advice.
    const detail =
      error.code === 'IN_USE' ? `${kind}, is in use by another process` : error.message;
    const mend =
      databaseUrl === undefined
        ? 'stop the process that uses it, or choose another directory with TRADEWIND_DATA_DIR'
        : 'correct TRADEWIND_DATABASE_URL, or start the PostgreSQL it names';
    return { finding: { check: 'database', ok: false, detail, mend } };
  }
}
