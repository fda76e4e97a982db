import { eventsLimits } from '../../limits.ts';
import { accountOf, type EventsCaller, principalOf } from '../../model/caller.ts';
import { EventsError, invalidArgument } from '../../model/events-error.ts';
import { formatTimestamp } from '../../model/proto-fields.ts';
import {
  fullSubscriptionName,
  type SubscriptionId,
  subscriptionName,
} from '../../model/subscription.ts';
import { findStream, type StreamLane } from '../../store/lanes/stream-store.ts';
import { toStructured } from '../endpoints/write-webhook.ts';
import { toOutgoingEvent, toPubsubMessage } from '../outgoing-event.ts';
import type { ReaderAdmission } from './admit-readers.ts';
import { type ServerSentEvent, serveEvents } from './serve-events.ts';
import { formatPlaces, parsePlaces } from './stream-place.ts';
import { readStream, type StreamedEvent, type StreamReaderOptions } from './stream-reader.ts';
import type { FindTopicLanes } from './stream-wakes.ts';

const { streams, streamsOfAccount, readersOfStream, resumedSubscriptions } = eventsLimits;

export type ListenOptions = Omit<
  StreamReaderOptions,
  'findLanes' | 'places' | 'placeOf' | 'caller' | 'key'
> & {
  /** The host in the full names of subscriptions. */
  readonly sourceHost: string;
  readonly readers: ReaderAdmission;
  readonly findTopicLanes: FindTopicLanes;
};

/** Who reads, and where they resume. */
type ListenRequest = { readonly caller: EventsCaller; readonly lastEventId: string | undefined };

/**
 * Streams the events of one subscription as structured CloudEvents (E14.20). The id of each is its
 * number in the subscription's queue, from which a reader resumes (E14.21). Throws
 * `FAILED_PRECONDITION` if the endpoint is not a stream.
 */
export async function listenToSubscription(
  options: ListenOptions,
  request: ListenRequest & { readonly id: SubscriptionId },
): Promise<Response> {
  const { database } = options;
  const { id, lastEventId, caller } = request;
  const findLanes = async () =>
    [await findStream(database, id)].filter((lane) => lane !== undefined);
  const lanes = await findLanes();
  const [stream] = lanes;
  if (stream === undefined) throw notAStream(id);
  if (lastEventId !== undefined && !/^\d{1,15}$/.test(lastEventId)) throw unknownPlace(lastEventId);
  const given = lastEventId === undefined ? [] : [[stream.lane, Number(lastEventId)] as const];
  const places = new Map([...unreadPlaces(lanes), ...given]);
  const placeOf: StreamReaderOptions['placeOf'] = (_, reached) => String(reached.get(stream.lane));
  const toEvent = ({ place, ...streamed }: StreamedEvent) => ({
    id: place,
    data: toStructured(toOutgoing(streamed, options)),
  });
  return serve({ ...options, key: stream.key, findLanes, places, placeOf, caller }, toEvent);
}

/**
 * Streams the messages that the caller's subscriptions publish to a topic of this server, each
 * wrapped as Pub/Sub wraps a push delivery (E10.11, E14.23): of those that the caller has a scope to read (F56). Throws
 * `NOT_FOUND` if no subscription of the caller publishes to the topic, and `PERMISSION_DENIED` if all of them need another scope.
 */
export async function listenToTopic(
  options: ListenOptions,
  request: ListenRequest & {
    readonly topic: string;
    /** Which of these subscriptions the caller has a scope to read. */
    showOf(subscriptionIds: readonly string[]): Promise<ReadonlySet<string>>;
    /** Throws `PERMISSION_DENIED` for a subscription that the caller has no scope to read. */
    refuse(subscriptionId: string): Promise<unknown>;
  },
): Promise<Response> {
  const { topic, caller, lastEventId } = request;
  const findAll = () => options.findTopicLanes(topic, principalOf(caller));
  const shown = new Map<string, boolean>();
  const findLanes = async () => {
    const all = await findAll();
    const news = all.map(({ subscriptionId }) => subscriptionId).filter((id) => !shown.has(id));
    const readable = news.length === 0 ? new Set() : await request.showOf(news);
    for (const id of news) shown.set(id, readable.has(id));
    return all.filter(({ subscriptionId }) => shown.get(subscriptionId));
  };
  const lanes = await findLanes();
  const [hidden] = shown.keys();
  if (lanes.length === 0 && hidden !== undefined) await request.refuse(hidden);
  if (lanes.length === 0) throw noTopic(topic);
  const given = lastEventId === undefined ? new Map() : parsePlaces(lastEventId, lanes);
  if (given === undefined) throw unknownPlace(lastEventId ?? '');
  const places = new Map([...unreadPlaces(lanes), ...given]);
  const placeOf: StreamReaderOptions['placeOf'] = (all, reached) =>
    all.length > resumedSubscriptions.value ? undefined : formatPlaces(all, reached);
  const [project] = /^projects\/[^/]+/.exec(topic) ?? [''];
  const toEvent = ({ place, ...streamed }: StreamedEvent) => {
    const { lane, event } = streamed;
    const outgoing = toOutgoing(streamed, options);
    const { data: content, ...rest } = toPubsubMessage(outgoing);
    const message = {
      ...rest,
      data: content.toString('base64'),
      messageId: `${lane.subscriptionId}-${event.number}`,
      publishTime: formatTimestamp(event.acceptedAt),
    };
    const subscription = `${project}/subscriptions/${lane.subscriptionId}`;
    const data = JSON.stringify({ message, subscription, deliveryAttempt: 1 });
    return { id: place, data };
  };
  return serve({ ...options, key: topic, findLanes, places, placeOf, caller }, toEvent);
}

/** The cursors when the reader connects: other readers may move them before its first read. */
function unreadPlaces(lanes: readonly StreamLane[]): [number, number][] {
  return lanes.map(({ lane, cursor }) => [lane, cursor]);
}

function serve(
  options: StreamReaderOptions & Pick<ListenOptions, 'readers'> & Pick<ListenRequest, 'caller'>,
  toEvent: (streamed: StreamedEvent) => ServerSentEvent,
): Response {
  const { readers, inTurn, key, caller } = options;
  const principal = principalOf(caller);
  const account = accountOf(caller);
  const over = new AbortController();
  const onEnd = readers.enter({
    account,
    bounds: [
      { key: principal, most: streams.value, whose: 'of yours' },
      { key: `account ${account}`, most: streamsOfAccount.value, whose: 'of your account' },
      {
        key: `${principal}\n${key}`,
        most: readersOfStream.value,
        whose: 'of this subscription or topic',
      },
    ],
    end: () => over.abort(),
  });
  const read = async function* (signal: AbortSignal) {
    for await (const events of readStream(options, signal)) {
      const sent: ServerSentEvent[] = [];
      for (const event of events) sent.push(await inTurn(() => toEvent(event)));
      yield sent;
    }
  };
  return serveEvents(read, { onEnd, over });
}

function toOutgoing(
  { lane, event, payload }: Omit<StreamedEvent, 'place'>,
  { sourceHost }: ListenOptions,
) {
  const source = fullSubscriptionName(lane.subscriptionId, sourceHost);
  return toOutgoingEvent(event, { source, payload });
}

function notAStream(id: SubscriptionId): EventsError {
  const name = subscriptionName(id);
  const description = `The events of ${name} go to its notificationEndpoint, which is not an eventStream.`;
  return new EventsError('FAILED_PRECONDITION', description, {
    reason: 'NOT_A_STREAM',
    metadata: { name },
    preconditionViolations: [{ type: 'ENDPOINT', subject: name, description }],
  });
}

function noTopic(topic: string): EventsError {
  return new EventsError(
    'NOT_FOUND',
    `No subscription of yours publishes to ${topic} on this server: create one with it as pubsubTopic.`,
    {
      reason: 'TOPIC_NOT_FOUND',
      metadata: { topic },
      resource: { type: 'topic', name: topic },
    },
  );
}

function unknownPlace(lastEventId: string): EventsError {
  const description = `is ${lastEventId.slice(0, 40)}, which this stream never sent: send the id of its last event, or none`;
  return invalidArgument([{ field: 'Last-Event-ID', description }], 'UNKNOWN_LAST_EVENT_ID');
}
