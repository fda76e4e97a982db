import type { Database } from '../../kernel/database/database.ts';
import type { InTurn } from '../../kernel/wait/turns.ts';
import {
  toWebhookHeaders,
  toWebhookMarks,
  type WebhookMessage,
  writeWebhook,
} from '../delivery/endpoints/write-webhook.ts';
import { toBatchId, toOutgoingEvent } from '../delivery/outgoing-event.ts';
import { eventsLimits } from '../limits.ts';
import type { Attempt } from '../model/event.ts';
import { fullSubscriptionName } from '../model/subscription.ts';
import { type PageRequest, readPageRequest } from '../read-page-request.ts';
import {
  type AttemptStretch,
  type LaneStatus,
  type ListedEvent,
  listAttemptsBackwards,
  listLaneEvents,
  readLaneEvents,
  readLaneStatus,
} from '../store/lanes/attempt-store.ts';
import { type AttemptResource, numbersShown, toAttemptResource } from './attempt-resource.ts';
import { findMonitored, type MonitorContext, type MonitorRequest } from './find-monitored.ts';

/**
 * A page of the attempts at the deliveries of a subscription, the newest first, with what was sent and what came
 * back (K3). The delivering process first writes its progress, so that a reader finds every delivery.
 */
export async function listAttempts(
  context: MonitorContext,
  { caller, name, ...request }: MonitorRequest & PageRequest,
) {
  const { database, sealer, catchUp } = context;
  const { subscription } = await findMonitored(context, { caller, name });
  const list = ['attempts', subscription.id];
  const { size, after, tokenAt } = readPageRequest(request, { sealer, list });
  await catchUp(subscription.id);
  const lane = (await readLaneStatus(database, [subscription.id])).get(subscription.id);
  if (lane === undefined) return { attempts: [] };
  const place = readPlace(after);
  // One stretch more, since the place may leave nothing of the first.
  const stretches = await listAttemptsBackwards(database, {
    lane: lane.lane,
    through: place,
    limit: size + 2,
  });
  const found = stretches.flatMap((stretch) => backwards(stretch, place));
  const page = found.slice(0, size);
  const numbers = new Set(page.flatMap(({ attempt }) => numbersShown(attempt)));
  const events = await listLaneEvents(database, lane, [...numbers]);
  const attempts = page.map(({ attempt }) => attempt);
  const requests = await readRequests(attempts, { ...context, lane, listed: events });
  const last = page.at(-1);
  return {
    attempts: page.map(({ attempt, position, index }) => {
      const sent = requests.get(attempt);
      return {
        ...toAttemptResource(attempt, { name: attemptName({ position, index }), events }),
        ...(sent === undefined ? {} : { request: sent }),
      };
    }),
    ...(found.length > size && last !== undefined
      ? { nextPageToken: tokenAt(writePlace(last)) }
      : {}),
  };
}

export function attemptName({ position, index }: Pick<Place, 'position' | 'index'>): string {
  return `attempts/${position}.${index}`;
}

/** The place of an attempt: its stretch, and its index in the stretch. */
type Place = { readonly last: number; readonly position: number; readonly index: number };

function backwards({ attempts, position, last }: AttemptStretch, before: Place | undefined) {
  const end = before?.position === position ? before.index : attempts.length;
  return attempts
    .slice(0, end)
    .map((attempt, index) => ({ attempt, position, last, index }))
    .reverse();
}

function writePlace({ last, position, index }: Place): string {
  return [last, position, index].join('.');
}

function readPlace(text: string): Place | undefined {
  if (text === '') return undefined;
  const [last = 0, position = 0, index = 0] = text.split('.').map(Number);
  return { last, position, index };
}

type RequestsOptions = {
  readonly database: Database;
  readonly sourceHost: string;
  readonly lane: LaneStatus;
  readonly listed: ReadonlyMap<number, ListedEvent>;
  readonly inTurn: InTurn;
};

type Request = NonNullable<AttemptResource['request']>;

const longest = eventsLimits.attemptRequest.value;
const mostRead = eventsLimits.attemptRequests.value;

/**
 * Rebuilds the requests that attempts sent to a webhook; nothing for other endpoints, or if the events are no longer
 * kept. Shows the beginning of large bodies, and once a page has read too much data, only the headers of the rest.
 * Events that were sent several times are read and written once, in steps between which the event loop turns (N1).
 */
async function readRequests(
  attempts: readonly Attempt[],
  options: RequestsOptions,
): Promise<ReadonlyMap<Attempt, Request>> {
  const requests = new Map<Attempt, Request>();
  const { lane, listed } = options;
  if (lane.endpoint.kind !== 'webhook') return requests;
  const messages = new Map<string, WebhookMessage>();
  let read = 0;
  for (const attempt of attempts) {
    const events = beginningOf(attempt, listed);
    const [first] = events;
    if (first === undefined) continue;
    const numbers = events.map(({ number }) => number);
    const key = numbers.join();
    const isRead = read <= mostRead || messages.has(key);
    if (!messages.has(key)) read += events.reduce((sum, { bytes }) => sum + bytes, 0);
    const message = isRead
      ? (messages.get(key) ?? (await writeBeginning(numbers, options)))
      : { headers: {}, body: '' };
    if (isRead) messages.set(key, message);
    const last = { id: '', number: attempt.last };
    const batch = { first: { ...first, number: attempt.first }, last };
    const marks = toWebhookMarks({ id: toBatchId(lane.subscriptionId, batch), at: attempt.at });
    requests.set(attempt, {
      method: 'POST',
      url: lane.endpoint.uri,
      headers: toWebhookHeaders(message, { ...marks, mcpId: lane.mcpId }),
      body: message.body.slice(0, longest),
      truncated:
        !isRead || message.body.length > longest || events.length <= attempt.last - attempt.first,
    });
  }
  return requests;
}

/** The first events of an attempt, as many as fit into the body that is shown. */
function beginningOf(
  attempt: Attempt,
  listed: ReadonlyMap<number, ListedEvent>,
): readonly ListedEvent[] {
  const events: ListedEvent[] = [];
  let bytes = 0;
  for (const number of numbersShown(attempt)) {
    const event = listed.get(number);
    if (event === undefined) continue;
    if (bytes > longest) break;
    bytes += event.bytes;
    events.push(event);
  }
  return events;
}

async function writeBeginning(
  numbers: readonly number[],
  { database, sourceHost, lane, inTurn }: RequestsOptions,
): Promise<WebhookMessage> {
  const { endpoint, payload, subscriptionId } = lane;
  const events = await readLaneEvents(database, lane, numbers);
  const source = fullSubscriptionName(subscriptionId, sourceHost);
  const mode = endpoint.kind === 'webhook' ? endpoint.contentMode : 'STRUCTURED';
  return inTurn(() => {
    const outgoing = numbers.flatMap((number) => {
      const event = events.get(number);
      return event === undefined ? [] : toOutgoingEvent(event, { source, payload });
    });
    // The events were pruned after they were listed.
    if (outgoing.length === 0) return { headers: {}, body: '' };
    const { headers, body } = writeWebhook({ events: outgoing }, mode);
    return { headers, body: body.slice(0, longest + 1) };
  });
}
