import { z } from 'zod';
import { deliveryAttempt } from '../attempt-resource.ts';
import { publishedEvent } from '../list-published.ts';
import { monitoredSubscription } from '../monitored-subscription.ts';

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
