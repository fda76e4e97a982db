import { z } from 'zod';
import type { SubscriptionUseCases } from '../use-cases.ts';
import { type ContextTool, defineTool } from './tool.ts';

const read = 'subscriptions.read';
const write = 'subscriptions.write';

/** Allows further fields without an empty schema, which some clients refuse. */
const open = { additionalProperties: true };

/** The fields that agents act on; all others of the interface come along. */
const subscription = z
  .looseObject({
    name: z.string().describe('The name for the other tools: subscriptions/{id}.'),
    targetResource: z.string().optional(),
    eventTypes: z.array(z.string()).optional(),
    state: z.string().optional().describe('ACTIVE, or SUSPENDED while events are held back.'),
    suspensionReason: z.string().optional(),
    expireTime: z.string().optional(),
  })
  .meta({ description: 'A subscription.', ...open });

const name = z
  .string()
  .regex(/^subscriptions\/[\w-]+$/)
  .describe('The name of the subscription: subscriptions/{id}.');

// Without quotes a value cannot break out of its place in the filter.
const unquoted = z.string().regex(/^[^"\\]+$/, 'must hold neither quotes nor backslashes');

const newSubscription = z.object({
  targetResource: z.string().describe('What to watch: the full name, //{service}/{path}.'),
  eventTypes: z.array(z.string()).min(1).describe('The event types to be notified of.'),
  notificationEndpoint: z
    .object({
      eventStream: z.object({}).optional().describe('Read by whoever holds the name.'),
      webhook: z
        .object({
          uri: z.string(),
          contentMode: z.enum(['BINARY', 'STRUCTURED', 'BATCH']).optional(),
        })
        .optional()
        .describe('A URL that is called with each event, after it agreed to that.'),
      pubsubTopic: z.string().optional().describe('projects/{project}/topics/{topic}'),
      natsSubject: z.string().optional(),
    })
    .default({ eventStream: {} })
    .describe('Where events go: exactly one of these. Default: eventStream.'),
  payloadOptions: z
    .object({ includeResource: z.boolean().optional(), fieldMask: z.string().optional() })
    .optional()
    .describe('How much of the resource an event holds.'),
  swapOptions: z
    .object({
      amount: z.string().optional().describe('The amount sold, in its smallest unit.'),
      thresholdBps: z.number().optional().describe('How far the price must move, in basis points.'),
      intervalSeconds: z.number().optional().describe('The least time between two events.'),
    })
    .optional()
    .describe('For pairs: when the price counts as moved.'),
  ttl: z.string().optional().describe('How long the subscription lasts, such as "86400s".'),
});

const listing = z.object({
  eventTypes: z.array(unquoted).min(1).describe('At least one of these.'),
  targetResource: unquoted.optional(),
  pageSize: z.int().positive().max(100).optional(),
  pageToken: z.string().optional(),
});

/** The tools over the subscriptions of the caller, in the JSON form of the published interface. */
export function createSubscriptionTools(subscriptions: SubscriptionUseCases): ContextTool[] {
  return [
    defineTool({
      name: 'create_subscription',
      title: 'Subscribe to changes',
      description:
        'Get a notification when something changes, instead of polling: the price of a pair (targetResource "//swap/chains/{chainId}/pairs/{tokenIn}-{tokenOut}", eventTypes ["tradewind.swap.price.v1.moved"]), files of a watched folder, grants and clients, or resources of other applications. Without notificationEndpoint the events are read as a stream at /v1/{name}:listen. A subscription ends at its expireTime.',
      scope: write,
      effect: 'adds',
      input: newSubscription,
      output: subscription,
      run: (body, options) => subscriptions.create(body, options),
      render: renderOne('Subscribed'),
    }),
    defineTool({
      name: 'get_subscription',
      title: 'Show a subscription',
      description:
        'Shows one of your subscriptions: its state, the reason if it is suspended, and when it expires.',
      scope: read,
      effect: 'reads',
      input: z.object({ name }),
      output: subscription,
      run: (input, options) => subscriptions.get(input.name, options),
      render: renderOne('Found'),
    }),
    defineTool({
      name: 'list_subscriptions',
      title: 'List subscriptions',
      description:
        'Lists your subscriptions to any of these event types, of one target if it is given. If the answer has a nextPageToken, send it as pageToken to get more.',
      scope: read,
      effect: 'reads',
      input: listing,
      output: z
        .looseObject({
          subscriptions: z.array(subscription).optional(),
          nextPageToken: z.string().optional(),
        })
        .meta(open),
      run: (input, options) => subscriptions.list(listParameters(input), options),
      render: renderAll,
    }),
    defineTool({
      name: 'delete_subscription',
      title: 'Unsubscribe',
      description: 'Ends one of your subscriptions for good; no further events are sent for it.',
      scope: write,
      effect: 'removes',
      input: z.object({ name }),
      output: z.object({ deleted: z.string().describe('The name it had.') }),
      async run(input, options) {
        await subscriptions.delete(input.name, options);
        return { deleted: input.name };
      },
      render: () => 'The subscription is gone.',
    }),
    defineTool({
      name: 'reactivate_subscription',
      title: 'Reactivate a subscription',
      description:
        'Reactivates a suspended subscription after the cause is corrected: see suspensionReason of get_subscription. If the cause remains, the error names it.',
      scope: write,
      effect: 'changes',
      input: z.object({ name }),
      output: subscription,
      run: (input, options) => subscriptions.reactivate(input.name, options),
      render: renderOne('Reactivated'),
    }),
  ];
}

/** The parameters of the published interface. */
function listParameters(input: z.output<typeof listing>) {
  const { eventTypes, targetResource, pageSize, pageToken } = input;
  const types = eventTypes.map((type) => `event_types:"${type}"`).join(' OR ');
  const target = targetResource === undefined ? '' : ` AND target_resource="${targetResource}"`;
  return {
    filter: `(${types})${target}`,
    ...(pageSize === undefined ? {} : { pageSize: String(pageSize) }),
    ...(pageToken === undefined ? {} : { pageToken }),
  };
}

function renderAll(answer: object): string {
  const { subscriptions: found = [] } = z
    .object({ subscriptions: z.array(subscription).optional() })
    .parse(answer);
  return found.length === 0 ? 'There is none.' : found.map(describe).join('\n');
}

function renderOne(done: string): (answer: object) => string {
  return (answer) => `${done}: ${describe(subscription.parse(answer))}`;
}

function describe(one: z.output<typeof subscription>): string {
  const { name: called, state, targetResource, suspensionReason, expireTime } = one;
  return [
    called,
    ...(state === undefined
      ? []
      : [`is ${state}${suspensionReason === undefined ? '' : ` (${suspensionReason})`}`]),
    ...(targetResource === undefined ? [] : [`on ${targetResource}`]),
    ...(expireTime === undefined ? [] : [`until ${expireTime}`]),
  ].join(' ');
}
