import { z } from 'zod';
import type { Attempt } from '../model/event.ts';
import { formatTimestamp } from '../model/proto-fields.ts';
import type { ListedEvent } from '../store/lanes/attempt-store.ts';

const message = {
  body: z.string().describe('As text; only the beginning of a long body.'),
  truncated: z.boolean().describe('Whether the body was cut off.'),
};

/** One attempt at a delivery, with what was sent and what came back. */
export const deliveryAttempt = z
  .object({
    name: z.string().describe('attempts/{id}: the same in the list and in the feed.'),
    time: z.string().meta({ format: 'google-datetime', description: 'When it began.' }),
    durationMs: z.int32().describe('How long it took, in milliseconds.'),
    outcome: z.enum(['ACCEPTED', 'FAILED']).describe('Whether the endpoint accepted the events.'),
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
      .describe('What was sent to a webhook, reconstructed from the events; left out of the feed.'),
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
  shown: { readonly name: string; readonly events: ReadonlyMap<number, ListedEvent> },
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
