import type { Limits } from '../kernel/edge/limits.ts';
import { byteSize } from '../kernel/process/setting-kinds.ts';
import { eventsSettings } from './config.ts';

const eventStorage = byteSize.parse(eventsSettings.eventStorage.default) ?? 0;

/** The limits of change notifications. */
export const eventsLimits = {
  publishBody: {
    value: 4 * 1024 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning: 'The body of `POST /v1/events`; beyond it 413 (E6.15).',
  },
  listInRequest: {
    value: 1_000,
    unit: 'items',
    per: 'request',
    meaning: 'Members of a list in a request, other than in the data of events; beyond it 400.',
  },
  eventsInRequest: {
    value: 10_000,
    unit: 'items',
    per: 'request',
    meaning: 'Events of one request in batch mode; beyond it 400.',
  },
  event: {
    value: 256 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning: 'One event with its data; beyond it 400 (E6.16).',
  },
  attribute: {
    value: 1_024,
    unit: 'characters',
    per: 'request',
    meaning: 'One attribute of an event; beyond it 400.',
  },
  answerTime: {
    value: 55_000,
    unit: 'milliseconds',
    per: 'request',
    meaning: 'How long one answer may take, streams excepted; beyond it 504 (E6.11).',
  },
  projectCalls: {
    value: 600,
    unit: 'a minute',
    per: 'client',
    meaning: 'Reads of one client, and as many writes; beyond it 429 (E6.6).',
  },
  userCalls: {
    value: 100,
    unit: 'a minute',
    per: 'account',
    meaning: 'Reads of one account by one client, and as many writes; beyond it 429 (E6.7).',
  },
  eventTypes: {
    value: 100,
    unit: 'items',
    per: 'subscription',
    meaning: 'Event types of one subscription; beyond it 400.',
  },
  fieldMask: {
    value: 4_096,
    unit: 'characters',
    per: 'request',
    meaning: 'A field mask of a subscription or of a change to one; beyond it 400.',
  },
  maskPaths: {
    value: 100,
    unit: 'items',
    per: 'request',
    meaning: 'Paths of one field mask; beyond it 400.',
  },
  targetResource: {
    value: 1_024,
    unit: 'characters',
    per: 'subscription',
    meaning: 'The name of the target of a subscription; beyond it 400.',
  },
  webhookUri: {
    value: 2_048,
    unit: 'characters',
    per: 'subscription',
    meaning: 'The address of a webhook; beyond it 400.',
  },
  natsSubject: {
    value: 255,
    unit: 'characters',
    per: 'subscription',
    meaning: 'The subject of a NATS endpoint; beyond it 400.',
  },
  targetPattern: {
    value: 1_024,
    unit: 'characters',
    per: 'request',
    meaning: 'The pattern of a target of an application; beyond it 400.',
  },
  attemptResponse: {
    value: 4 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning: 'What is kept of the answer to one delivery attempt; the rest is not read.',
  },
  attemptRequest: {
    value: 16 * 1024,
    unit: 'characters',
    per: 'request',
    meaning: 'What is shown of the body of one delivery attempt; the rest is left out.',
  },
  attemptRequests: {
    value: 4 * 1024 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning:
      'Event data that is read to show the bodies of one page of attempts; the bodies of further attempts are left out.',
  },
  listedData: {
    value: 4 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning:
      'The data of an event in a list of published events; beyond it the list shows only the size.',
  },
  monitorCalls: {
    value: 600,
    unit: 'a minute',
    per: 'account',
    meaning: 'Calls of `/v1/monitor` of one account by one client; beyond it 429.',
  },
  feeds: {
    value: 20,
    unit: 'at once',
    per: 'account',
    meaning: 'Live feeds of one account at one process; beyond it 429.',
  },
  allFeeds: {
    value: 200,
    unit: 'at once',
    per: 'server',
    meaning:
      'Live feeds at one process; beyond it the account with the most loses its oldest to one that has fewer by two, else 429.',
  },
  streams: {
    value: 2_500,
    unit: 'at once',
    per: 'account',
    meaning: 'Event streams of one account by one client at one process; beyond it 429.',
  },
  streamsOfAccount: {
    value: 5_000,
    unit: 'at once',
    per: 'account',
    meaning: 'Event streams of one account by all its clients at one process; beyond it 429.',
  },
  allStreams: {
    value: 10_000,
    unit: 'at once',
    per: 'process',
    meaning:
      'Event streams at one process; beyond it the account with the most loses its oldest to one that has fewer by two, else 429.',
  },
  readersOfStream: {
    value: 20,
    unit: 'at once',
    per: 'subscription',
    meaning: 'Streams of one subscription or topic at one process; beyond it 429.',
  },
  resumedSubscriptions: {
    value: 2_000,
    unit: 'items',
    per: 'request',
    meaning:
      'Subscriptions of one account to a topic whose positions are in the id of each streamed event, so that a stream can resume; with more, the events have no ids, and a reader continues after the events that were read last.',
  },
  feedResumed: {
    value: 1_000,
    unit: 'items',
    per: 'request',
    meaning: 'How far back a live feed resumes; older entries are reported as a gap.',
  },
  attemptResponses: {
    value: 64 * 1024,
    unit: 'bytes',
    per: 'subscription',
    meaning:
      'What is kept of the answers to attempts that are written in one row; later answers are dropped.',
  },
  publishedBytes: {
    value: byteSize.parse(eventsSettings.publishQuota.default) ?? 0,
    unit: 'bytes a minute',
    per: 'account',
    meaning: 'What one account publishes, over all its clients; beyond it 429.',
    setting: 'TRADEWIND_PUBLISH_QUOTA',
  },
  storedBytes: {
    value: eventStorage,
    unit: 'bytes',
    per: 'server',
    meaning:
      'About what all stored events take on the disk, with their rows and indexes, each stored once for all its subscriptions, and 120 bytes for each delivery of them, counted until retention is over; beyond it publishing and replaying are refused with 429.',
    setting: 'TRADEWIND_EVENT_STORAGE',
  },
  storedBytesOfPublisher: {
    value: eventStorage / 4,
    unit: 'bytes',
    per: 'account',
    meaning:
      'The part of these that one account may fill, over all its clients: a quarter of the setting; beyond it 429.',
    setting: 'TRADEWIND_EVENT_STORAGE',
  },
  queuedEvents: {
    value: 1_000_000,
    unit: 'items',
    per: 'subscription',
    meaning:
      'Events that wait for an endpoint that fails; beyond it the subscription is suspended with `ENDPOINT_RESOURCE_EXHAUSTED`, and they are held.',
  },
  lanesReadingAtOnce: {
    value: 6,
    unit: 'at once',
    per: 'process',
    meaning:
      'Lanes that read their next events at the same time. Four of the ten connections to PostgreSQL are left for publishing, claims and leases.',
  },
  subscribersAtOnce: {
    value: 100,
    unit: 'items',
    per: 'request',
    meaning:
      'Subscriptions for which an event is queued before its publisher is answered; if more match, the event is queued for all of them after the answer.',
  },
  popularTargets: {
    value: 1_000,
    unit: 'items',
    per: 'process',
    meaning:
      'Targets with more than 100 subscriptions that a publisher remembers: their events are queued after the answer, and nobody looks for their subscriptions before.',
  },
  popularTime: {
    value: 60_000,
    unit: 'milliseconds',
    per: 'process',
    meaning: 'The time for which a target with more than 100 subscriptions is remembered.',
  },
  replayedEvents: {
    value: 100_000,
    unit: 'a minute',
    per: 'account',
    meaning: 'Events that are sent again for one account by one client; beyond it 429.',
  },
  deliveriesAtOnce: {
    value: 20_000,
    unit: 'items',
    per: 'request',
    meaning:
      'Deliveries of a publication that are queued before its publisher is answered; if there are more, all are queued after the answer.',
  },
  gatheredAtOnce: {
    value: 200_000,
    unit: 'items',
    per: 'request',
    meaning:
      'The same where events are gathered into batch events; beyond it they are queued one by one after the answer.',
  },
  fanOutsOfPublisher: {
    value: 1_000,
    unit: 'stored',
    per: 'account',
    meaning:
      'Publications of one account, of at most 100 events each, that wait to be queued after the answer; beyond it 429 within seconds.',
  },
  operationsOfPrincipal: {
    value: 10_000,
    unit: 'stored',
    per: 'account',
    meaning:
      'Operations of one account by one client that are kept for their 30 days; the oldest are removed within a minute.',
  },
  operations: {
    value: 200_000,
    unit: 'stored',
    per: 'server',
    meaning:
      'Operations of all accounts, and as many deleted subscriptions; the oldest are removed within a minute.',
  },
  subscriptionsOfPrincipal: {
    value: 10_000,
    unit: 'stored',
    per: 'account',
    meaning: 'Subscriptions of one account, over all its clients; beyond it 429.',
  },
  pairsOfPrincipal: {
    value: 100,
    unit: 'stored',
    per: 'account',
    meaning:
      'Of these, subscriptions to prices of pairs, for each of which a route is searched in every block; beyond it 429.',
  },
  pairsOfChain: {
    value: 2_000,
    unit: 'stored',
    per: 'chain',
    meaning:
      'Pairs, each with its options, that the subscriptions of all accounts watch; beyond it 429 within a minute, except for a pair that is already watched with the same options.',
  },
  mcpArguments: {
    value: 4 * 1024,
    unit: 'bytes',
    per: 'request',
    meaning: 'The arguments of an MCP event subscription; beyond it -32602 (M68).',
  },
  mcpBody: {
    value: 262_144,
    unit: 'bytes',
    per: 'request',
    meaning:
      'The body of a delivery to an MCP client; of a larger event it holds the names alone (M39).',
  },
  mcpPage: {
    value: 50,
    unit: 'items',
    per: 'request',
    meaning: 'Event types in one page of `events/list` (M11).',
  },
  mcpPolled: {
    value: 100,
    unit: 'items',
    per: 'request',
    meaning: 'Events in one answer of `events/poll`; 50 unless the request says otherwise (M49).',
  },
  mcpRefilled: {
    value: 10_000,
    unit: 'items',
    per: 'request',
    meaning: 'Stored events that a new MCP event subscription gets for its cursor (M24).',
  },
  mcpLookedThrough: {
    value: 200_000,
    unit: 'items',
    per: 'request',
    meaning: 'Stored events of all kinds among which those are looked for, the newest (M24).',
  },
  verificationsOfPrincipal: {
    value: 60,
    unit: 'a minute',
    per: 'account',
    meaning: 'Challenges to callbacks for one account by one client; beyond it -32013 (M68).',
  },
  verificationsOfPair: {
    value: 30,
    unit: 'a minute',
    per: 'account',
    meaning: 'The same to one host; beyond it -32013 (M68).',
  },
  verificationsOfHost: {
    value: 600,
    unit: 'a minute',
    per: 'process',
    meaning: 'Challenges to one host for everybody, at all processes; beyond it -32013 (M68).',
  },
  subscriptions: {
    value: 1_000_000,
    unit: 'stored',
    per: 'server',
    meaning: 'Subscriptions of all accounts; beyond it 429 within a minute.',
  },
} as const satisfies Limits;
