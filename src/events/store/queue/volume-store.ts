import type { Database } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';

/** How much of the stored events there is, told in stretches of their positions. */
export type VolumeStore = {
  /** The lowest and the highest position that is stored; undefined where there is none. */
  ends(): Promise<{ readonly first: number; readonly last: number } | undefined>;
  /** Bytes of the events after one position and up to another, for each principal that published them. */
  measure(after: number, through: number): Promise<ReadonlyMap<string, number>>;
};

export function createVolumeStore(database: Pick<Database, 'first' | 'all'>): VolumeStore {
  return {
    async ends() {
      const row = await database.first<{ first: number | null; last: number | null }>(
        sql`SELECT MIN(position) AS first, MAX(position) AS last FROM events_published`,
      );
      if (row === undefined || row.first === null || row.last === null) return undefined;
      return { first: row.first, last: row.last };
    },
    async measure(after, through) {
      const rows = await database.all<{ publisher: string; bytes: number }>(sql`
        SELECT publisher, SUM(octet_length(data)) AS bytes FROM events_published
        WHERE position > ${after} AND position <= ${through} GROUP BY publisher`);
      return new Map(rows.map(({ publisher, bytes }) => [publisher, bytes]));
    },
  };
}
