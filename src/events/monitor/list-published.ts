import { z } from 'zod';
import type { Queries } from '../../kernel/database/database.ts';
import type { Application } from '../model/application.ts';
import { type EventsCaller, type EventVisibility, isAdmin, principalOf } from '../model/caller.ts';
import type { PublishedEvent } from '../model/event.ts';
import { EventsError } from '../model/events-error.ts';
import { formatTimestamp } from '../model/proto-fields.ts';
import { type PageRequest, readPageRequest } from '../read-page-request.ts';
import {
  findPublished,
  listPublishedBackwards,
  type PublishedQuery,
  readPublishedBounds,
} from '../store/queue/published-store.ts';
import type { MonitorContext } from './find-monitored.ts';

const time = (description: string) => z.string().meta({ format: 'google-datetime', description });

/** A published event as the monitor shows it. */
export const publishedEvent = z
  .object({
    name: z.string().describe('events/{position}: later ones have higher positions.'),
    id: z.string(),
    source: z.string(),
    type: z.string(),
    subject: z.string(),
    time: time('When it happened.'),
    acceptTime: time('When it was published here.'),
    publisher: z.string().optional().describe('Who published it; absent where this server did.'),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The data; left out of lists and the feed if it is large.'),
    dataBytes: z.int().describe('The size of the data.'),
  })
  .meta({ id: 'PublishedEvent', description: 'An event that was published.' });

type ListPublishedRequest = PageRequest & {
  readonly caller: EventsCaller;
  /** Prefixes of the type and of the subject. */
  readonly type?: string | undefined;
  readonly subject?: string | undefined;
};

// One request looks at a bounded number of positions, in steps, so its page may be short.
const [readAtOnce, mostRead] = [1_000, 20_000];

/** A page of the published events that the caller may see, the newest first (K4). */
export async function listPublished(
  context: MonitorContext,
  { caller, type = '', subject = '', ...request }: ListPublishedRequest,
) {
  const { database, sealer } = context;
  const { size, after, tokenAt } = readPageRequest(request, {
    sealer,
    list: ['published', type, subject],
  });
  const sees = await sightOf(context, caller);
  const { first, last: newest } = await readPublishedBounds(database);
  const start = after === '' ? newest : Number(after) - 1;
  const range = { from: Math.max(first, start - mostRead + 1), through: start, type, subject };
  const { page, last } = await findPage(database, { range, size, sees });
  const events = page.map(toPublishedResource);
  return { events, ...(last > first ? { nextPageToken: tokenAt(String(last)) } : {}) };
}

/**
 * Returns the newest events of the range that the caller sees, at most `size`, and the last position that was looked
 * at.
 */
async function findPage(
  queries: Queries,
  options: { readonly range: PublishedQuery; readonly size: number; readonly sees: EventSight },
): Promise<{ readonly page: readonly PublishedEvent[]; readonly last: number }> {
  const { range, size, sees } = options;
  const page: PublishedEvent[] = [];
  // If the caller sees every event, as many rows are read as the page shows. If many are hidden, the steps grow.
  for (let limit = size, { through } = range; through >= range.from; ) {
    const from = Math.max(range.from, through - readAtOnce + 1);
    const rows = await listPublishedBackwards(queries, { ...range, from, through, limit });
    for (const row of rows) {
      if (!sees(row)) continue;
      page.push(row);
      if (page.length === size) return { page, last: row.position };
    }
    through = (rows.length === limit ? (rows.at(-1)?.position ?? from) : from) - 1;
    limit = Math.min(2 * limit, readAtOnce);
  }
  return { page, last: range.from };
}

/** One event with all of its data. Throws `NOT_FOUND`, also where the caller may not see it. */
export async function getPublished(
  context: MonitorContext,
  { caller, name }: { readonly caller: EventsCaller; readonly name: string },
) {
  const [, position] = /^events\/(\d{1,15})$/.exec(name) ?? [];
  const found = position && (await findPublished(context.database, Number(position)));
  if (found && (await sightOf(context, caller))(found)) return toPublishedResource(found);
  throw new EventsError('NOT_FOUND', `There is no event ${name.slice(0, 40)} that you may see.`, {
    reason: 'EVENT_NOT_FOUND',
    metadata: { name: name.slice(0, 40) },
    resource: { type: 'event', name: name.slice(0, 40) },
  });
}

/** Which events the caller may see by the catalogue as it is now. */
export async function sightOf(
  { catalogue, visibility }: Pick<MonitorContext, 'catalogue' | 'visibility'>,
  caller: EventsCaller,
) {
  return createEventSight({ caller, applications: await catalogue.list(), visibility });
}

export function toPublishedResource(event: PublishedEvent): z.input<typeof publishedEvent> {
  const { position, id, source, type, subject, occurredAt, acceptedAt, publisher } = event;
  const { data, dataBytes } = event;
  return {
    name: `events/${position}`,
    id,
    source,
    type,
    subject,
    time: formatTimestamp(occurredAt),
    acceptTime: formatTimestamp(acceptedAt),
    ...(publisher === '' ? {} : { publisher }),
    ...(data === undefined ? {} : { data: JSON.parse(data) }),
    dataBytes,
  };
}

/** Whether an event may be seen. */
type EventSight = (event: Pick<PublishedEvent, 'type' | 'publisher'>) => boolean;

/**
 * Which published events a caller may see (K4): those of applications whose scopes the token covers. With the
 * visibility `own`, only those of them that the caller's account or this server published. An admin sees all. Batch
 * events and lifecycle events are left out, because no publisher sent them.
 */
function createEventSight(options: {
  readonly caller: EventsCaller;
  readonly applications: readonly Application[];
  readonly visibility: EventVisibility;
}): EventSight {
  const { caller, applications, visibility } = options;
  const seesAll = isAdmin(caller);
  const types = new Set<string>();
  for (const { scopes, targets } of applications) {
    const isCovered = scopes.length === 0 || scopes.some((scope) => caller.scope.includes(scope));
    if (!seesAll && !isCovered) continue;
    for (const { eventTypes } of targets) for (const type of eventTypes) types.add(type);
  }
  const isOwn = (publisher: string) =>
    publisher === principalOf(caller) ||
    (caller.isPerson && publisher.endsWith(` for ${caller.subject}`));
  return ({ type, publisher }) =>
    types.has(type) && (seesAll || visibility === 'shared' || publisher === '' || isOwn(publisher));
}
