import type { Queries, Transaction } from '../../kernel/database/database.ts';
import { sql, sqlRows } from '../../kernel/database/sql.ts';
import { inChunks } from './rows.ts';

/** The files of a folder as they were last published, by path; undefined for a folder that was never scanned. */
export async function loadFolder(
  queries: Queries,
  folder: string,
): Promise<Map<string, ScannedFile> | undefined> {
  const known = await queries.first(sql`SELECT 1 FROM events_folders WHERE folder = ${folder}`);
  if (known === undefined) return undefined;
  const rows = await queries.all<FileRow>(sql`
    SELECT path, identity, size, modified_at, hash FROM events_folder_files
    WHERE folder = ${folder} ORDER BY path`);
  return new Map(
    rows.map(({ modified_at: modifiedAt, ...row }) => [row.path, { ...row, modifiedAt }]),
  );
}

/** Begins the index of a folder: from now on differences from it are changes. */
export async function beginFolder(tx: Transaction, folder: string): Promise<void> {
  await tx.run(sql`DELETE FROM events_folder_files WHERE folder = ${folder}`);
  await tx.run(sql`INSERT INTO events_folders (folder) VALUES (${folder}) ON CONFLICT DO NOTHING`);
}

/** What to remove and what to write, so that the index is as the scan found the files. */
type FolderUpdate = {
  readonly folder: string;
  /** Removed only if the path still has this file. */
  readonly gone?: readonly Pick<ScannedFile, 'path' | 'identity'>[];
  readonly found: readonly ScannedFile[];
};

export async function updateFolder(
  tx: Transaction,
  { folder, gone = [], found }: FolderUpdate,
): Promise<void> {
  for (const some of inChunks(gone)) {
    const files = sqlRows(some.map(({ path, identity }) => [path, identity]));
    await tx.run(sql`
      DELETE FROM events_folder_files
      WHERE folder = ${folder} AND (path, identity) IN (VALUES ${files})`);
  }
  for (const some of inChunks(found)) {
    const rows = some.map(({ path, identity, size, modifiedAt, hash }) => {
      return [folder, path, identity, size, modifiedAt, hash];
    });
    await tx.run(sql`
      INSERT INTO events_folder_files (folder, path, identity, size, modified_at, hash)
      VALUES ${sqlRows(rows)}
      ON CONFLICT (folder, path) DO UPDATE SET identity = excluded.identity, size = excluded.size,
        modified_at = excluded.modified_at, hash = excluded.hash`);
  }
}

type FileRow = {
  path: string;
  identity: string;
  size: number;
  modified_at: string;
  hash: string;
};

/** A file of a watched folder as a scan found it. */
export type ScannedFile = {
  /** Relative to the folder, with `/` between names. */
  readonly path: string;
  /** Inode and birth time: a move keeps both, and a reused inode has another birth time. */
  readonly identity: string;
  readonly size: number;
  /** In nanoseconds since the epoch, as text. */
  readonly modifiedAt: string;
  /** A hash of the content, if the modification time is not reliable; else ''. */
  readonly hash: string;
};
