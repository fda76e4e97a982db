import type { Queries } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** The master key as it is stored: sealed under a key derived from an opener and the salt. */
export type SealedMasterKey = { readonly salt: string; readonly sealed: string };

export function findMasterKey(queries: Queries): Promise<SealedMasterKey | undefined> {
  return queries.first<SealedMasterKey>(sql`SELECT salt, sealed FROM master_key WHERE id = 1`);
}

/** Stores a master key, unless another process has stored one before. */
export async function insertMasterKey(
  queries: Queries,
  { salt, sealed }: SealedMasterKey,
): Promise<void> {
  await queries.run(sql`
    INSERT INTO master_key (id, salt, sealed) VALUES (1, ${salt}, ${sealed})
    ON CONFLICT (id) DO NOTHING`);
}

export async function replaceMasterKey(
  queries: Queries,
  { salt, sealed }: SealedMasterKey,
): Promise<void> {
  await queries.run(sql`UPDATE master_key SET salt = ${salt}, sealed = ${sealed} WHERE id = 1`);
}

/** Afterwards nothing opens what was sealed under it. */
export async function deleteMasterKey(queries: Queries): Promise<void> {
  await queries.run(sql`DELETE FROM master_key`);
}
