import type { Queries } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import type { PublishedEvent } from '../model/published-event.ts';
import type { PublishedQuery } from '../store/queue/published-store.ts';

/** A published event without its data, of which only the size was read. */
export type PublishedOutline = Omit<PublishedEvent, 'data'> & { readonly dataBytes: number };

/** The outlines of some of a range of positions that begin as asked, the newest first. */
export async function outlinePublished(
  queries: Queries,
  { from, through, type, subject, limit }: PublishedQuery & { readonly limit: number },
): Promise<PublishedOutline[]> {
  const rows = await queries.all<OutlineRow>(sql`
    SELECT position, publisher, source, id, type, subject, occurred_at, accepted_at,
      octet_length(data) AS data_bytes
    FROM events_published WHERE position >= ${from} AND position <= ${through}
      AND substr(type, 1, ${[...type].length}) = ${type}
      AND substr(subject, 1, ${[...subject].length}) = ${subject}
    ORDER BY position DESC LIMIT ${limit}`);
  return rows.map(({ occurred_at, accepted_at, data_bytes, ...row }) => ({
    ...row,
    occurredAt: occurred_at,
    acceptedAt: accepted_at,
    dataBytes: data_bytes,
  }));
}

type OutlineRow = Omit<PublishedOutline, 'occurredAt' | 'acceptedAt' | 'dataBytes'> & {
  readonly occurred_at: number;
  readonly accepted_at: number;
  readonly data_bytes: number;
};
