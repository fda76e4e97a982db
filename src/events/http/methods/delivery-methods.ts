import { z } from 'zod';
import type { Sealer } from '../../../kernel/crypto/sealer.ts';
import { listDeliveries } from '../../delivery/list-deliveries.ts';
import { type ReplayOptions, replayEvents } from '../../delivery/replay-events.ts';
import {
  type ListenOptions,
  listenToSubscription,
  listenToTopic,
} from '../../delivery/streams/listen.ts';
import { type EventsCaller, isAdmin, type LaneSight, sightInto } from '../../model/caller.ts';
import { deliveryStates } from '../../model/event.ts';
import { text, timestamp } from '../../model/proto-fields.ts';
import { readMessage } from '../../model/proto-json.ts';
import type { Subscription } from '../../model/subscription.ts';
import { readers, writers } from '../../scopes.ts';
import {
  declareMethod,
  noQuery,
  queryInt32,
  queryText,
  type ServedMethod,
  serveMethod,
} from './method.ts';

const attempt = z
  .object({
    time: z.string().meta({ format: 'google-datetime', description: 'When it began.' }),
    status: z.int32().optional().describe('HTTP status of the answer, where there was one.'),
    error: z.string().optional().describe('What went wrong.'),
    durationMs: z.int32().describe('How long it took, in milliseconds.'),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One attempt at a delivery.' });

const delivery = z
  .object({
    eventId: z.string().describe('Id of the event.'),
    eventType: z.string().describe('Type of the event.'),
    state: z.enum(deliveryStates).describe('The state of the delivery.'),
    reason: z.string().optional().describe('Why it was held or given up.'),
    createTime: z.string().meta({
      format: 'google-datetime',
      description: 'When the event was accepted.',
    }),
    nextAttemptTime: z.string().optional().meta({
      format: 'google-datetime',
      description: 'When it is tried again.',
    }),
    attempts: z.array(attempt).describe('Every attempt so far.'),
  })
  .meta({ id: 'Delivery', description: 'An event on its way to a subscription.' });

export const deliveryList = z
  .object({
    deliveries: z.array(delivery).describe('In the order of acceptance.'),
    nextPageToken: z.string().optional().describe('Where the next page begins.'),
  })
  .meta({ id: 'ListDeliveriesResponse', description: 'A page of the delivery log.' });

const replayRequest = z
  .strictObject(
    {
      eventIds: z
        .array(text, 'must be a list of ids')
        .max(1_000, 'must have at most 1000 ids')
        .optional()
        .describe('Ids of the events; any if left out.'),
      eventTypes: z
        .array(text, 'must be a list of event types')
        .max(100, 'must have at most 100 types')
        .optional()
        .describe('Types of the events; any if left out.'),
      startTime: timestamp.optional().describe('Accepted at this time or later.'),
      endTime: timestamp.optional().describe('Accepted before this time.'),
    },
    'must be an object',
  )
  .meta({ id: 'ReplayEventsRequest', description: 'Which events are to be sent again.' });

export const replayAnswer = z
  .object({ replayed: z.int32().describe('How many events are sent again.') })
  .meta({ id: 'ReplayEventsResponse', description: 'What a replay did.' });

const eventStream = z
  .object({})
  .meta({ id: 'EventStream', description: 'Server-sent events (text/event-stream).' });

const resumption = z.object({
  'last-event-id': z
    .string()
    .optional()
    .describe('The id of the event after which the stream continues.'),
});

export const deliveriesQuery = z.object({
  state: z
    .enum(deliveryStates, `must be one of ${deliveryStates.join(', ')}`)
    .optional()
    .describe('Only deliveries in this state.'),
  pageSize: queryInt32.optional().describe('How many deliveries to return; 50 if 0, at most 100.'),
  pageToken: queryText.optional().describe('nextPageToken of the previous page.'),
});

export const deliveryMethodList = {
  list: declareMethod({
    id: 'subscriptions.deliveries.list',
    method: 'GET',
    path: '/v1/{parent=subscriptions/*}/deliveries',
    parameters: deliveriesQuery,
    response: deliveryList,
    scopes: readers,
    quota: 'reads',
    description: 'Lists the deliveries of a subscription.',
  }),
  replay: declareMethod({
    id: 'subscriptions.replay',
    method: 'POST',
    path: '/v1/{name=subscriptions/*}:replay',
    parameters: noQuery,
    request: replayRequest,
    response: replayAnswer,
    scopes: writers,
    quota: 'writes',
    description: 'Sends events of a subscription again.',
  }),
  listen: declareMethod({
    id: 'subscriptions.listen',
    method: 'GET',
    path: '/v1/{name=subscriptions/*}:listen',
    parameters: noQuery,
    headers: resumption,
    response: eventStream,
    responseType: 'text/event-stream',
    scopes: readers,
    quota: 'reads',
    description: 'Streams the events of a subscription whose endpoint is an eventStream.',
  }),
  listenToTopic: declareMethod({
    id: 'projects.topics.listen',
    method: 'GET',
    path: '/v1/{topic=projects/*/topics/*}:listen',
    parameters: noQuery,
    headers: resumption,
    response: eventStream,
    responseType: 'text/event-stream',
    scopes: readers,
    quota: 'reads',
    description: 'Streams the messages of a topic that this server keeps.',
  }),
};

export type DeliveryMethodsOptions = ReplayOptions &
  ListenOptions & {
    /** The caller's subscription of this name, by id or uid; throws `NOT_FOUND`. */
    findOwn(caller: EventsCaller, name: string): Promise<Subscription>;
    /** Which of these subscriptions the scopes of the caller are enough to read. */
    readableOf(caller: EventsCaller, ids: readonly string[]): Promise<ReadonlySet<string>>;
    /** Seals page tokens. */
    readonly sealer: Sealer;
  };

/** The delivery log, replay, and the streams that are read here (E14.20 to E14.23, E14.33 to E14.39). */
export function deliveryMethods(options: DeliveryMethodsOptions): ServedMethod[] {
  const { findOwn } = options;
  return [
    serveMethod(deliveryMethodList.list, async ({ caller, name, query }) => {
      const { id } = await findOwn(caller, name);
      return listDeliveries(options, { subscriptionId: id, ...query });
    }),
    serveMethod(deliveryMethodList.replay, async ({ caller, name, readBody }) => {
      const request = readMessage(replayRequest, await readBody());
      const subscription = await findOwn(caller, name);
      const { visibility } = options;
      const query = {
        ...toReplayQuery(subscription, request),
        sightInto: (lane: LaneSight) => sightInto(lane, { visibility, isAdmin: isAdmin(caller) }),
      };
      return { replayed: await replayEvents(options, query) };
    }),
    serveMethod(deliveryMethodList.listen, async ({ caller, name, request }) => {
      const { id } = await findOwn(caller, name);
      const lastEventId = lastEventIdOf(request);
      return listenToSubscription(options, { id, lastEventId, caller });
    }),
    serveMethod(deliveryMethodList.listenToTopic, async ({ caller, name, request }) =>
      listenToTopic(options, {
        topic: name,
        lastEventId: lastEventIdOf(request),
        caller,
        showOf: (ids) => options.readableOf(caller, ids),
        refuse: (id) => findOwn(caller, `subscriptions/${id}`),
      }),
    ),
  ];
}

function lastEventIdOf(request: Request): string | undefined {
  return request.headers.get('last-event-id') || undefined;
}

/** An empty list is one that was left out, as ProtoJSON has it. */
function toReplayQuery(
  { id: subscriptionId, principal, mcp }: Subscription,
  request: z.output<typeof replayRequest>,
) {
  const { eventIds = [], eventTypes = [], startTime, endTime } = request;
  return {
    subscriptionId,
    isForMcp: mcp !== undefined,
    principal,
    eventIds: eventIds.length === 0 ? undefined : eventIds,
    eventTypes: eventTypes.length === 0 ? undefined : eventTypes,
    startTime,
    endTime,
  };
}
