import { z } from 'zod';
import { deliveryAttempt } from './attempt-resource.ts';
import { monitoredSubscription } from './list-monitored.ts';
import { publishedEvent } from './list-published.ts';

export const feedKinds = ['events', 'attempts', 'subscriptions'] as const;
export type FeedKind = (typeof feedKinds)[number];

/** The items of the live feed: each server-sent event holds one of these as JSON. */
export const feedItem = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('ready') }).describe('The feed is open; what comes next is new.'),
    z
      .object({ kind: z.literal('gap') })
      .describe('More happened since the last event than a feed repeats: read the lists again.'),
    z.object({ kind: z.literal('event'), event: publishedEvent }),
    z.object({
      kind: z.literal('attempt'),
      subscription: z.string().describe('subscriptions/{id}'),
      attempt: deliveryAttempt,
    }),
    z.object({ kind: z.literal('subscription'), subscription: monitoredSubscription }),
  ])
  .meta({ id: 'FeedItem', description: 'Something that happened (text/event-stream).' });

export type FeedItem = z.input<typeof feedItem>;

/** Up to where a reader has read the feed: positions of events and attempts, and the time of a change. */
export type FeedPlace = {
  readonly event: number;
  readonly attempt: number;
  readonly change: number;
};

/** Formats a place as the id of a server-sent event, which any process can read, also after a restart (K13). */
export function formatFeedPlace({ event, attempt, change }: FeedPlace): string {
  return [event, attempt, change].join('-');
}

/** Undefined for an id that no feed gave. */
export function parseFeedPlace(id: string): FeedPlace | undefined {
  const [, event, attempt, change] = /^(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  if (change === undefined) return undefined;
  return { event: Number(event), attempt: Number(attempt), change: Number(change) };
}
