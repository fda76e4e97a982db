import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** A request for a stretch of a caller's time. All times are whole microseconds. */
export type StretchRequest = {
  readonly name: string;
  readonly key: string;
  readonly now: number;
  readonly length: number;
  /** How far beyond `now` time may be given out. */
  readonly horizon: number;
};

/** `givenUntil` is the end of the stretch or, if it did not fit, of the time given out so far. */
export type StretchAnswer = { readonly isGiven: boolean; readonly givenUntil: number };

/** Gives out a stretch of a caller's time, in one conditional write. */
export async function giveStretch(
  database: Database,
  { name, key, now, length, horizon }: StretchRequest,
): Promise<StretchAnswer> {
  const given = await database.first<{ given_until: number }>(sql`
    INSERT INTO rate_limits (name, key, given_until) VALUES (${name}, ${key}, ${now + length})
    ON CONFLICT (name, key) DO UPDATE SET given_until = CAST(${length} AS BIGINT) +
      CASE WHEN rate_limits.given_until > ${now} THEN rate_limits.given_until ELSE ${now} END
    WHERE rate_limits.given_until <= ${now + horizon - length}
    RETURNING given_until`);
  if (given !== undefined) return { isGiven: true, givenUntil: given.given_until };
  const known = await database.first<{ given_until: number }>(
    sql`SELECT given_until FROM rate_limits WHERE name = ${name} AND key = ${key}`,
  );
  return { isGiven: false, givenUntil: known?.given_until ?? now };
}

/** Deletes some callers whose time has passed, as if they were never seen. Returns how many. */
export function pruneRateLimits(
  database: Database,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<number> {
  return database.run(sql`
    DELETE FROM rate_limits WHERE (name, key) IN (
      SELECT name, key FROM rate_limits WHERE given_until < ${now} LIMIT ${limit})`);
}
