import { z } from 'zod';
import { eventsLimits } from '../../limits.ts';
import { text } from '../../model/proto-fields.ts';
import { deliveryAttempt } from '../../monitor/attempt-resource.ts';
import { feedItem, feedKinds } from '../../monitor/feed-items.ts';
import { monitoredSubscription } from '../../monitor/list-monitored.ts';
import { publishedEvent } from '../../monitor/list-published.ts';
import { sample, sampledApplication } from '../../monitor/samples.ts';
import { readers, writers } from '../../scopes.ts';
import { deliveriesQuery, deliveryList, replayAnswer } from './delivery-methods.ts';
import { declareMethod, noQuery, queryInt32, queryText } from './method.ts';
import { rotateAnswer, rotateRequest } from './rotate-secret-method.ts';

const paged = {
  pageSize: queryInt32.optional().describe('How many entries to return; 50 if 0, at most 100.'),
  pageToken: queryText.optional().describe('nextPageToken of the previous page.'),
};
/** Text without U+0000, the one character that PostgreSQL cannot store. */
const storableText = queryText.refine(
  (value) => !value.includes('\0'),
  'must not hold the character U+0000',
);
const nextPageToken = z.string().optional().describe('Where the next page begins.');
const monitorReaders = [...readers, 'admin'];
const monitorWriters = [...writers, 'admin'];
const empty = z.object({}).meta({ id: 'MonitorEmpty', description: 'Nothing.' });
const nothing = z
  .strictObject({}, 'must be an empty object')
  .meta({ id: 'MonitorRequest', description: 'Nothing.' });

const reading = { scopes: monitorReaders, quota: 'monitor', isApart: true } as const;
const writing = { scopes: monitorWriters, quota: 'monitor', isApart: true } as const;

/** Which undelivered events are to be sent again. */
export const replayUndeliveredRequest = z
  .strictObject(
    {
      eventIds: z
        .array(text, 'must be a list of ids')
        .max(1_000, 'must have at most 1000 ids')
        .optional()
        .describe(
          'The events to send, delivered or not; those that wait for a retry are sent at once. If left out, all undelivered events.',
        ),
    },
    'must be an object',
  )
  .meta({ id: 'ReplayUndeliveredRequest', description: 'Which events are to be sent again.' });

export const testEventRequest = z
  .strictObject(
    {
      eventType: text
        .max(eventsLimits.attribute.value)
        .optional()
        .describe('An event type of the subscription; its first one if left out.'),
    },
    'must be an object',
  )
  .meta({ id: 'SendTestEventRequest', description: 'Which sample is to be sent.' });

const subscriptionList = z
  .object({ subscriptions: z.array(monitoredSubscription), nextPageToken })
  .meta({ id: 'ListMonitoredSubscriptionsResponse', description: 'A page of subscriptions.' });

const attemptList = z
  .object({ attempts: z.array(deliveryAttempt).describe('The newest first.'), nextPageToken })
  .meta({ id: 'ListAttemptsResponse', description: 'A page of attempts.' });

const eventList = z
  .object({
    events: z
      .array(publishedEvent)
      .describe('The newest first; a page may be short even if another one follows.'),
    nextPageToken,
  })
  .meta({ id: 'ListPublishedEventsResponse', description: 'A page of what was published.' });

const applicationList = z
  .object({ applications: z.array(sampledApplication) })
  .meta({ id: 'ListSampledApplicationsResponse', description: 'The whole catalogue.' });

const testEvent = z
  .object({ eventId: z.string(), eventType: z.string() })
  .meta({ id: 'SendTestEventResponse', description: 'The event that was sent.' });

/**
 * The methods for people who monitor subscriptions (K12). They are not part of the public interface, so the discovery
 * document leaves them out.
 */
export const monitorMethodList = {
  listSubscriptions: declareMethod({
    id: 'monitor.subscriptions.list',
    method: 'GET',
    path: '/v1/monitor/subscriptions',
    parameters: z.object({
      state: z
        .enum(['ACTIVE', 'SUSPENDED'], 'must be ACTIVE or SUSPENDED')
        .optional()
        .describe('Only those in this state.'),
      ...paged,
    }),
    response: subscriptionList,
    description: 'Lists the subscriptions of the caller, for an admin those of everybody.',
    ...reading,
  }),
  getSubscription: declareMethod({
    id: 'monitor.subscriptions.get',
    method: 'GET',
    path: '/v1/monitor/{name=subscriptions/*}',
    parameters: noQuery,
    response: monitoredSubscription,
    description: 'Gets a subscription and the state of its delivery.',
    ...reading,
  }),
  deleteSubscription: declareMethod({
    id: 'monitor.subscriptions.delete',
    method: 'DELETE',
    path: '/v1/monitor/{name=subscriptions/*}',
    parameters: noQuery,
    response: empty,
    description: 'Deletes a subscription of the caller, for an admin of anybody.',
    ...writing,
  }),
  listAttempts: declareMethod({
    id: 'monitor.subscriptions.attempts.list',
    method: 'GET',
    path: '/v1/monitor/{parent=subscriptions/*}/attempts',
    parameters: z.object(paged),
    response: attemptList,
    description: 'Lists the attempts at deliveries with what was sent and what came back.',
    ...reading,
  }),
  listDeliveries: declareMethod({
    id: 'monitor.subscriptions.deliveries.list',
    method: 'GET',
    path: '/v1/monitor/{parent=subscriptions/*}/deliveries',
    parameters: deliveriesQuery,
    response: deliveryList,
    description: 'Lists the deliveries of a subscription of the caller, for an admin of anybody.',
    ...reading,
  }),
  replay: declareMethod({
    id: 'monitor.subscriptions.replay',
    method: 'POST',
    path: '/v1/monitor/{name=subscriptions/*}:replay',
    parameters: noQuery,
    request: replayUndeliveredRequest,
    response: replayAnswer,
    description: 'Sends one, some or all undelivered events again.',
    ...writing,
  }),
  sendTestEvent: declareMethod({
    id: 'monitor.subscriptions.sendTestEvent',
    method: 'POST',
    path: '/v1/monitor/{name=subscriptions/*}:sendTestEvent',
    parameters: noQuery,
    request: testEventRequest,
    response: testEvent,
    description: 'Sends a sample of an event type to one subscription.',
    ...writing,
  }),
  rotateSecret: declareMethod({
    id: 'monitor.subscriptions.rotateSecret',
    method: 'POST',
    path: '/v1/monitor/{name=subscriptions/*}:rotateSecret',
    parameters: noQuery,
    request: rotateRequest,
    response: rotateAnswer,
    description: 'Changes the signing secret of a webhook of the caller, for an admin of anybody.',
    ...writing,
  }),
  reactivate: declareMethod({
    id: 'monitor.subscriptions.reactivate',
    method: 'POST',
    path: '/v1/monitor/{name=subscriptions/*}:reactivate',
    parameters: noQuery,
    request: nothing,
    response: monitoredSubscription,
    description:
      'Makes a suspended subscription of the caller active again, for an admin of anybody.',
    ...writing,
  }),
  renew: declareMethod({
    id: 'monitor.subscriptions.renew',
    method: 'POST',
    path: '/v1/monitor/{name=subscriptions/*}:renew',
    parameters: noQuery,
    request: nothing,
    response: monitoredSubscription,
    description: 'Extends a subscription to the longest lifetime, counted from now.',
    ...writing,
  }),
  listEvents: declareMethod({
    id: 'monitor.events.list',
    method: 'GET',
    path: '/v1/monitor/events',
    parameters: z.object({
      type: storableText
        .max(eventsLimits.attribute.value)
        .optional()
        .describe('Only types that begin with this.'),
      subject: storableText
        .max(eventsLimits.attribute.value)
        .optional()
        .describe('Only subjects that begin with this.'),
      ...paged,
    }),
    response: eventList,
    description: 'Lists what was published and the caller may see, the newest first.',
    ...reading,
  }),
  getEvent: declareMethod({
    id: 'monitor.events.get',
    method: 'GET',
    path: '/v1/monitor/{name=events/*}',
    parameters: noQuery,
    response: publishedEvent,
    description: 'Gets a published event with all of its data.',
    ...reading,
  }),
  listApplications: declareMethod({
    id: 'monitor.applications.list',
    method: 'GET',
    path: '/v1/monitor/applications',
    parameters: noQuery,
    response: applicationList,
    description: 'Lists the catalogue with a sample of each event type.',
    ...reading,
  }),
  getSample: declareMethod({
    id: 'monitor.samples.get',
    method: 'GET',
    path: '/v1/monitor/sample',
    parameters: z.object({
      type: queryText.max(eventsLimits.attribute.value).describe('The event type.'),
      target: queryText
        .max(eventsLimits.targetResource.value)
        .optional()
        .describe('The subject of the sample; a made-up resource if left out.'),
    }),
    response: sample,
    scopes: [...monitorReaders, 'events.publish'],
    quota: 'monitor',
    isApart: true,
    description: 'Gets a sample of an event type.',
  }),
  feed: declareMethod({
    id: 'monitor.feed',
    method: 'GET',
    path: '/v1/monitor/feed',
    parameters: z.object({
      kinds: queryText
        .max(100)
        .optional()
        .describe(`What to stream: ${feedKinds.join(', ')}, separated by commas; all if left out.`),
      subscription: storableText
        .max(300)
        .optional()
        .describe('Limits attempts and changes to those of this subscription: subscriptions/{id}.'),
    }),
    headers: z.object({
      'last-event-id': z
        .string()
        .optional()
        .describe('The id of the item after which the feed continues.'),
    }),
    response: feedItem,
    responseType: 'text/event-stream',
    description: 'Streams what is published, attempted and changed, as it happens.',
    ...reading,
  }),
};
