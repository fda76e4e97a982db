import { z } from 'zod';
import type { Queries } from '../../kernel/database/database.ts';
import { sql, sqlText } from '../../kernel/database/sql.ts';
import { BackupError } from './backup-place.ts';

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

const withoutDigest = 'version TEXT NOT NULL, made BIGINT NOT NULL, engine TEXT NOT NULL, key TEXT';
const newest = `CREATE TABLE backup (${withoutDigest}, digest TEXT)`;

/** The statements by which this version and older ones made the table. */
export const manifestTables: readonly string[] = [newest, `CREATE TABLE backup (${withoutDigest})`];

const latestDate = 8_640_000_000_000_000; // of ECMAScript, in milliseconds

const rowShape = z.object({
  version: z.string().max(100),
  made: z.number().int().min(0).max(latestDate),
  engine: z.enum(['sqlite', 'postgres']),
  key: z.string().nullable(),
  digest: z.string().nullish(),
});

export async function writeManifest(queries: Queries, manifest: BackupManifest): Promise<void> {
  const { version, made, engine, key, digest } = manifest;
  await queries.run(sqlText(newest));
  await queries.run(sql`
    INSERT INTO backup (version, made, engine, key, digest)
    VALUES (${version}, ${made}, ${engine}, ${key ?? null}, ${digest ?? null})`);
}

/**
 * Reads the manifest and removes its table, which leaves a plain database for a server. `undefined` if there is none. Throws
 * `NOT_A_BACKUP` if it is not one that a version of this program wrote.
 */
export async function takeManifest(queries: Queries): Promise<BackupManifest | undefined> {
  const there = await queries.first(sql`SELECT 1 AS one FROM sqlite_schema WHERE name = 'backup'`);
  if (there === undefined) return undefined;
  const read = z.tuple([rowShape]).safeParse(await queries.all(sql`SELECT * FROM backup LIMIT 2`));
  if (!read.success) {
    throw new BackupError(
      'NOT_A_BACKUP',
      'What the file says of itself was not written by tradewind backup: use another copy.',
    );
  }
  await queries.run(sql`DROP TABLE backup`);
  const [{ key, digest, ...rest }] = read.data;
  return { ...rest, key: key ?? undefined, digest: digest ?? undefined };
}
