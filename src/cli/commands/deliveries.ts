import { z } from 'zod';
import type { EventsAnswers } from '../../events/wire.ts';
import type { Command } from '../command.ts';
import { numberFlag, toSubscriptionName } from '../input/read-flags.ts';
import { UsageError } from '../input/usage-error.ts';
import { plainLines, plainText } from '../plain-text.ts';
import { signInOptions } from '../server/client-options.ts';
import { openEventsClient } from '../server/open-events-client.ts';
import { serverOption } from '../server/server-option.ts';

/** `tradewind deliveries`: what was sent to a subscription and what came back, the newest first. */
export const deliveriesCommand: Command = {
  operands: '<subscription>',
  description:
    'Shows delivery attempts, the newest first: status and duration, and with --bodies the request and the first\n4 KB of the response. At sign-in it asks for subscriptions.read.\n\n  tradewind deliveries subscriptions/4f1c…\n  tradewind deliveries 4f1c… --limit 1 --json',
  options: {
    limit: {
      type: 'string',
      argument: '<n>',
      help: 'How many attempts, at most 100. Default: 20.',
    },
    bodies: { type: 'boolean', help: 'Also print requests and responses.' },
    server: serverOption,
    ...signInOptions,
    json: { type: 'boolean', help: 'Print as JSON, always with requests and responses.' },
  },
  async run(input) {
    const { operands, flags, terminal } = input;
    const [name, ...rest] = operands;
    if (name === undefined || rest.length > 0) {
      throw new UsageError('Name one subscription: tradewind deliveries subscriptions/<id>.');
    }
    const pageSize = numberFlag(flags, 'limit', { least: 1, most: 100 }) ?? 20;
    const client = await openEventsClient(input, 'subscriptions.read');
    const path = `/v1/monitor/${toSubscriptionName(name)}/attempts`;
    const query = { pageSize: String(pageSize) };
    const { attempts } = await client.request<EventsAnswers['monitor']['listAttempts']>(
      'GET',
      path,
      { attempts: z.array(attemptShape) },
      { query },
    );
    if (flags.json) {
      terminal.stdout.write(`${JSON.stringify({ attempts })}\n`);
      return 0;
    }
    const hasBodies = flags.bodies === true;
    const none = `Nothing was sent yet: try it with tradewind trigger <event type> --subscription ${plainText(name)}\n`;
    terminal.stdout.write(
      attempts.map((one) => renderAttempt(one, { hasBodies })).join('') || none,
    );
    return 0;
  },
};

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
