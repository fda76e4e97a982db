import { z } from 'zod';
import type { EventsAnswers } from '../../events/wire.ts';
import { plainLines, plainText } from '../plain-text.ts';

/** An attempt at a delivery, as the interface shows it. */
type DeliveryAttempt = EventsAnswers['monitor']['listAttempts']['attempts'][number];

const body = z.string();

/** The fields of an attempt that {@link renderAttempt} reads. */
export const attemptShape = z.looseObject({
  time: z.string(),
  durationMs: z.number(),
  outcome: z.string(),
  status: z.number().optional(),
  error: z.string().optional(),
  eventCount: z.number(),
  events: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  request: z
    .looseObject({
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      body,
    })
    .optional(),
  response: z.looseObject({ body }).optional(),
});

/** One line for an attempt and, on request, what was sent and what came back. */
export function renderAttempt(
  attempt: DeliveryAttempt,
  { hasBodies }: { readonly hasBodies: boolean },
): string {
  const { time, durationMs, outcome, status, error, eventCount, events } = attempt;
  const [first] = events;
  const what = first === undefined ? 'no longer kept' : `${first.type} ${first.id}`;
  const more = eventCount > 1 ? ` and ${eventCount - 1} more` : '';
  const took = `${String(durationMs).padStart(5)} ms`;
  const head = `${time}  ${outcome.toLowerCase().padEnd(8)}  ${String(status ?? '-').padStart(3)}  ${took}  ${what}${more}`;
  const lines = [plainText(head), ...(error === undefined ? [] : [`  ${plainText(error)}`])];
  if (hasBodies) lines.push(...renderBodies(attempt));
  return `${lines.join('\n')}\n`;
}

function renderBodies({ request, response }: DeliveryAttempt): string[] {
  const headers = Object.entries(request?.headers ?? {}).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const sent =
    request === undefined
      ? []
      : [`${request.method} ${request.url}`, ...headers, '', request.body].join('\n').split('\n');
  const came = response === undefined ? [] : response.body.split('\n');
  return [
    ...sent.map((line) => `  > ${plainLines(line)}`),
    ...came.map((line) => `  < ${plainLines(line)}`),
    ...(response?.truncated ? ['  < …'] : []),
  ];
}
