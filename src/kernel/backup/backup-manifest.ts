import type { Queries } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** What a backup says of itself, in a table of its own beside those of the product. */
export type BackupManifest = {
  /** The version of the program that made it. */
  readonly version: string;
  /** Epoch milliseconds. */
  readonly made: number;
  readonly engine: 'sqlite' | 'postgres';
  /** Opens the sealed secrets; absent where `TRADEWIND_SECRET_KEY` does. */
  readonly key: string | undefined;
  /** The SHA-256 of all rows; absent in backups of versions that wrote none. */
  readonly digest: string | undefined;
};

export async function writeManifest(queries: Queries, manifest: BackupManifest): Promise<void> {
  const { version, made, engine, key, digest } = manifest;
  await queries.run(sql`
    CREATE TABLE backup (
      version TEXT NOT NULL, made BIGINT NOT NULL, engine TEXT NOT NULL, key TEXT, digest TEXT)`);
  await queries.run(sql`
    INSERT INTO backup (version, made, engine, key, digest)
    VALUES (${version}, ${made}, ${engine}, ${key ?? null}, ${digest ?? null})`);
}

/** Reads the manifest and removes its table, which leaves a plain database for a server. `undefined` if there is none. */
export async function takeManifest(queries: Queries): Promise<BackupManifest | undefined> {
  const there = await queries.first(sql`SELECT 1 AS one FROM sqlite_schema WHERE name = 'backup'`);
  if (there === undefined) return undefined;
  const row = await queries.first<{
    version: string;
    made: number;
    engine: BackupManifest['engine'];
    key: string | null;
    digest?: string | null;
  }>(sql`SELECT * FROM backup`);
  await queries.run(sql`DROP TABLE backup`);
  return row && { ...row, key: row.key ?? undefined, digest: row.digest ?? undefined };
}
