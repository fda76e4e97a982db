import { z } from 'zod';
import {
  toWebhookHeaders,
  toWebhookMarks,
  writeWebhook,
} from '../delivery/endpoints/webhook/write-webhook.ts';
import { toBatchId, toOutgoingEvent } from '../delivery/messages/to-outgoing-event.ts';
import { eventsLimits } from '../limits.ts';
import type { Attempt } from '../model/logged-delivery.ts';
import type { QueuedEvent } from '../model/queued-event.ts';
import { fullSubscriptionName } from '../model/subscription-name.ts';
import { formatTimestamp } from '../proto-json/timestamp.ts';
import type { LaneStatus } from '../store/lanes/attempt-store.ts';

const message = {
  body: z.string().describe('As text; the beginning where there is more.'),
  truncated: z.boolean().describe('Whether there was more.'),
};

/** One attempt at a delivery, with what was sent and what came back. */
export const deliveryAttempt = z
  .object({
    name: z.string().describe('attempts/{id}: the same in the list and in the feed.'),
    time: z.string().meta({ format: 'google-datetime', description: 'When it began.' }),
    durationMs: z.int32().describe('How long it took, in milliseconds.'),
    outcome: z.enum(['ACCEPTED', 'FAILED']).describe('What became of it.'),
    status: z.int32().optional().describe('HTTP status of the answer, where there was one.'),
    error: z.string().optional().describe('What went wrong.'),
    eventCount: z.int32().describe('How many events it carried.'),
    events: z
      .array(z.object({ id: z.string(), type: z.string(), subject: z.string() }))
      .describe('The first of them, as far as they are still kept.'),
    request: z
      .object({
        method: z.string(),
        url: z.string(),
        headers: z
          .record(z.string(), z.string())
          .describe('Without the signature, which is not kept.'),
        ...message,
      })
      .optional()
      .describe('What was sent to a webhook, made again of the events; left out of the feed.'),
    response: z
      .object(message)
      .optional()
      .describe('What the webhook answered, where it answered with anything.'),
  })
  .meta({
    id: 'MonitoredAttempt',
    description: 'An attempt with what was sent and what came back.',
  });

export type AttemptResource = z.input<typeof deliveryAttempt>;

/** How many events of an attempt are shown. */
const eventsShown = 10;

/** Which numbers of a lane are read to show an attempt. */
export function numbersShown({ first, last }: Attempt): number[] {
  return Array.from({ length: Math.min(last - first + 1, eventsShown) }, (_, n) => first + n);
}

export function toAttemptResource(
  attempt: Attempt,
  shown: { readonly name: string; readonly events: ReadonlyMap<number, QueuedEvent> },
): AttemptResource {
  const { first, last, at, durationMs, status, error, response, isResponseCut } = attempt;
  const events = numbersShown(attempt).flatMap((number) => shown.events.get(number) ?? []);
  return {
    name: shown.name,
    time: formatTimestamp(at),
    durationMs,
    outcome: error === undefined ? 'ACCEPTED' : 'FAILED',
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
    eventCount: last - first + 1,
    events: events.map(({ id, type, subject }) => ({ id, type, subject })),
    ...(response === undefined
      ? {}
      : { response: { body: response, truncated: isResponseCut ?? false } }),
  };
}

/**
 * What an attempt sent to a webhook, made again in the way it was made then; undefined for other endpoints
 * and where the events are no longer kept. Of a large batch the beginning.
 */
export function toRequest(
  attempt: Attempt,
  options: {
    readonly lane: LaneStatus;
    readonly events: ReadonlyMap<number, QueuedEvent>;
    readonly sourceHost: string;
  },
): AttemptResource['request'] {
  const { endpoint, payload, subscriptionId } = options.lane;
  if (endpoint.kind !== 'webhook') return undefined;
  const queued = numbersShown(attempt).flatMap((number) => options.events.get(number) ?? []);
  const [first] = queued;
  if (first === undefined) return undefined;
  const source = fullSubscriptionName(subscriptionId, options.sourceHost);
  const events = queued.map((event) => toOutgoingEvent(event, { source, payload }));
  const written = writeWebhook({ events }, endpoint.contentMode);
  const last = { id: '', number: attempt.last };
  const id = toBatchId(subscriptionId, { first: { ...first, number: attempt.first }, last });
  const longest = eventsLimits.attemptRequest.value;
  return {
    method: 'POST',
    url: endpoint.uri,
    headers: toWebhookHeaders(written, toWebhookMarks({ id, at: attempt.at })),
    body: written.body.slice(0, longest),
    truncated: written.body.length > longest || queued.length < attempt.last - attempt.first + 1,
  };
}
