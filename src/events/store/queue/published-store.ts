import type { Queries } from '../../../kernel/database/database.ts';
import { type Sql, sql } from '../../../kernel/database/sql.ts';
import { eventsLimits } from '../../limits.ts';
import type { PublishedEvent } from '../../model/event.ts';

export type PublishedQuery = {
  readonly from: number;
  readonly through: number;
  /** Prefixes of the type and of the subject; '' for any. */
  readonly type: string;
  readonly subject: string;
};

/** The positions of the oldest and the newest; 0 where there is none. */
export async function readPublishedBounds(
  queries: Queries,
): Promise<{ readonly first: number; readonly last: number }> {
  const row = await queries.first<{ first: number | null; last: number | null }>(sql`
    SELECT (SELECT MIN(position) FROM events_published) AS first,
      (SELECT MAX(position) FROM events_published) AS last`);
  return { first: row?.first ?? 0, last: row?.last ?? 0 };
}

/**
 * The events in a range of positions with these prefixes, newest first. Data that is too long for a list is left out.
 */
export function listPublishedBackwards(
  queries: Queries,
  { from, through, type, subject, limit }: PublishedQuery & { readonly limit: number },
): Promise<PublishedEvent[]> {
  return select(
    queries,
    sql`position >= ${from} AND position <= ${through}
        AND substr(type, 1, ${[...type].length}) = ${type}
        AND substr(subject, 1, ${[...subject].length}) = ${subject}
        ORDER BY position DESC LIMIT ${limit}`,
  );
}

/** The events after a position, oldest first. Data that is too long for a list is left out. */
export function listPublishedAfter(
  queries: Queries,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<PublishedEvent[]> {
  return select(queries, sql`position > ${after} ORDER BY position LIMIT ${limit}`);
}

export async function findPublished(
  queries: Queries,
  position: number,
): Promise<PublishedEvent | undefined> {
  const [found] = await select(queries, sql`position = ${position}`, eventsLimits.event.value);
  return found;
}

async function select(
  queries: Queries,
  rest: Sql,
  longestData: number = eventsLimits.listedData.value,
): Promise<PublishedEvent[]> {
  const rows = await queries.all<PublishedRow>(sql`
    SELECT position, publisher, source, id, type, subject, occurred_at, accepted_at,
      octet_length(data) AS data_bytes,
      CASE WHEN octet_length(data) <= ${longestData} THEN data END AS data
    FROM events_published WHERE ${rest}`);
  return rows.map(toPublishedEvent);
}

type PublishedRow = Omit<PublishedEvent, 'occurredAt' | 'acceptedAt' | 'data' | 'dataBytes'> & {
  readonly occurred_at: number;
  readonly accepted_at: number;
  readonly data_bytes: number;
  readonly data: string | null;
};

function toPublishedEvent(row: PublishedRow): PublishedEvent {
  const { occurred_at, accepted_at, data_bytes, data, ...rest } = row;
  return {
    ...rest,
    occurredAt: occurred_at,
    acceptedAt: accepted_at,
    dataBytes: data_bytes,
    data: data ?? undefined,
  };
}

/**
 * The place of the newest event, attempt and change of any subscription. One query, which reads each from the end of an
 * index.
 */
export async function readFeedHeads(queries: Queries) {
  const row = await queries.first<Record<'event' | 'attempt' | 'change', number | null>>(sql`
    SELECT (SELECT MAX(position) FROM events_published) AS event,
      (SELECT MAX(position) FROM events_attempts) AS attempt,
      (SELECT MAX(updated_at) FROM events_subscriptions) AS change`);
  return { event: row?.event ?? 0, attempt: row?.attempt ?? 0, change: row?.change ?? 0 };
}
