import type { Queries } from '../../../kernel/database/database.ts';
import { type Sql, sql } from '../../../kernel/database/sql.ts';
import type { PublishedEvent } from '../../model/published-event.ts';

/** What was published, by position. */
export type PublishedStore = {
  /** The positions of the oldest and the newest; 0 where there is none. */
  bounds(): Promise<{ readonly first: number; readonly last: number }>;
  /** Those of a range of positions that begin as asked, newest first. */
  listBackwards(query: PublishedQuery & { readonly limit: number }): Promise<PublishedEvent[]>;
  /** Those after a position, oldest first. */
  listAfter(query: { readonly after: number; readonly limit: number }): Promise<PublishedEvent[]>;
  find(position: number): Promise<PublishedEvent | undefined>;
};

export type PublishedQuery = {
  readonly from: number;
  readonly through: number;
  /** What type and subject begin with; '' for any. */
  readonly type: string;
  readonly subject: string;
};

export function createPublishedStore(queries: Queries): PublishedStore {
  const select = async (rest: Sql) => {
    const rows = await queries.all<PublishedRow>(sql`
      SELECT position, publisher, source, id, type, subject, occurred_at, accepted_at, data
      FROM events_published WHERE ${rest}`);
    return rows.map(toPublishedEvent);
  };
  return {
    async bounds() {
      const row = await queries.first<{ first: number | null; last: number | null }>(sql`
        SELECT (SELECT MIN(position) FROM events_published) AS first,
          (SELECT MAX(position) FROM events_published) AS last`);
      return { first: row?.first ?? 0, last: row?.last ?? 0 };
    },
    listBackwards: ({ from, through, type, subject, limit }) =>
      select(sql`position >= ${from} AND position <= ${through}
        AND substr(type, 1, ${[...type].length}) = ${type}
        AND substr(subject, 1, ${[...subject].length}) = ${subject}
        ORDER BY position DESC LIMIT ${limit}`),
    listAfter: ({ after, limit }) =>
      select(sql`position > ${after} ORDER BY position LIMIT ${limit}`),
    async find(position) {
      const [found] = await select(sql`position = ${position}`);
      return found;
    },
  };
}

type PublishedRow = Omit<PublishedEvent, 'occurredAt' | 'acceptedAt'> & {
  readonly occurred_at: number;
  readonly accepted_at: number;
};

function toPublishedEvent({ occurred_at, accepted_at, ...row }: PublishedRow): PublishedEvent {
  return { ...row, occurredAt: occurred_at, acceptedAt: accepted_at };
}
