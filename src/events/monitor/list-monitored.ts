import { z } from 'zod';
import { readDeliveryStatus } from '../mcp/delivery-status.ts';
import { type EventsCaller, reachOf } from '../model/caller.ts';
import { formatTimestamp } from '../model/proto-fields.ts';
import type { McpTerms, Subscription } from '../model/subscription.ts';
import { subscriptionMessage } from '../model/subscription-message.ts';
import { type PageRequest, readPageRequest } from '../read-page-request.ts';
import { countUndelivered, type LaneStatus, readLaneStatus } from '../store/lanes/attempt-store.ts';
import { findCallbackPass } from '../store/mcp-store.ts';
import { listSubscriptionsWithin } from '../store/subscription-store.ts';
import { toSubscriptionResource } from '../subscriptions/subscription-resource.ts';
import {
  findMonitored,
  type MonitorContext,
  type MonitorRequest,
  sightOfTypes,
} from './find-monitored.ts';

type ListMonitoredRequest = PageRequest & {
  readonly caller: EventsCaller;
  readonly state?: 'ACTIVE' | 'SUSPENDED' | undefined;
};

/** Undelivered events are counted only up to this number. */
const mostCounted = 10_000;

/**
 * A page of the subscriptions that the caller may monitor, with the state of their delivery (K2). A page lacks those for
 * whose applications the caller has no scope (F56), so it may be short even if another one follows.
 */
export async function listMonitored(
  context: MonitorContext,
  { caller, state, ...request }: ListMonitoredRequest,
) {
  const { database, clock, sealer } = context;
  const reach = reachOf(caller, context);
  const list = ['monitored', JSON.stringify(reach), state ?? ''];
  const { size, after, tokenAt } = readPageRequest(request, { sealer, list });
  const query = { reach, state, after, now: clock.now(), limit: size + 1 };
  const found = await listSubscriptionsWithin(database, query);
  const shows = await sightOfTypes(context, caller);
  const read = found.slice(0, size);
  const page = read.filter(shows);
  const statuses = await readLaneStatus(
    database,
    page.map(({ id }) => id),
  );
  const last = read.at(-1);
  return {
    subscriptions: page.map((one) => toMonitored(one, { status: statuses.get(one.id) })),
    ...(found.length > size && last !== undefined ? { nextPageToken: tokenAt(last.id) } : {}),
  };
}

/** One such subscription, with the number of its undelivered events. Throws `NOT_FOUND`. */
export async function getMonitored(context: MonitorContext, request: MonitorRequest) {
  const { subscription } = await findMonitored(context, request);
  const status = (await readLaneStatus(context.database, [subscription.id])).get(subscription.id);
  const undelivered = status
    ? await countUndelivered(context.database, status.lane, mostCounted)
    : 0;
  const shown = toMonitored(subscription, { status, undelivered });
  return { ...shown, ...(await readMcpHealth(context, subscription)) };
}

/** How the callback of an MCP client fares; nothing for other subscriptions. */
async function readMcpHealth(context: MonitorContext, subscription: Subscription) {
  const { mcp, notificationEndpoint: endpoint, principal } = subscription;
  if (mcp === undefined || endpoint.kind !== 'webhook') return {};
  const { lastError } = await readDeliveryStatus(context, subscription);
  const passedAt = await findCallbackPass(context.database, { principal, url: endpoint.uri });
  return {
    ...(lastError === null ? {} : { lastError }),
    ...(passedAt === undefined ? {} : { verificationTime: formatTimestamp(passedAt) }),
  };
}

const time = (description: string) => z.string().meta({ format: 'google-datetime', description });

/** What an MCP client knows of its subscription (M73). */
function toMcpFields(
  { notificationEndpoint, expiresAt }: Subscription,
  { id, name, arguments: given }: McpTerms,
) {
  const mode = notificationEndpoint.kind === 'webhook' ? 'webhook' : 'poll';
  return {
    ...{ id, name, arguments: { ...given } },
    mode,
    refreshBefore: formatTimestamp(expiresAt),
  } as const;
}

/** A subscription as the monitor shows it. */
export const monitoredSubscription = z
  .object({
    subscription: subscriptionMessage,
    clientId: z.string().describe('The client through which it was made.'),
    userId: z
      .string()
      .optional()
      .describe('The person who owns it; absent if a client owns it itself.'),
    id: z.string().optional().describe('sub_…, the id by which an MCP client knows it.'),
    name: z.string().optional().describe('The event that the MCP client named.'),
    arguments: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The arguments that the MCP client sent.'),
    mode: z
      .enum(['webhook', 'poll'])
      .optional()
      .describe('Whether events are posted to the MCP client, or it reads them.'),
    refreshBefore: time('When the MCP client must have asked again.').optional(),
    lastError: z.string().optional().describe('What went wrong last, as the MCP client is told.'),
    verificationTime: time(
      'When the callback of the MCP client last echoed a challenge.',
    ).optional(),
    waiting: z.int().describe('How many events are yet to be delivered.'),
    failingSince: time('Since when every attempt has failed.').optional(),
    nextAttemptTime: time('When it is tried again.').optional(),
    undelivered: z
      .int()
      .optional()
      .describe(
        'How many events were held or given up and not sent again; 10000 means 10000 or more.',
      ),
  })
  .meta({
    id: 'MonitoredSubscription',
    description: 'A subscription and the state of its delivery.',
  });

export function toMonitored(
  subscription: Subscription,
  {
    status,
    undelivered,
  }: { readonly status: LaneStatus | undefined; readonly undelivered?: number },
): z.input<typeof monitoredSubscription> {
  const { clientId, userId, state, mcp } = subscription;
  const { waiting = 0, failingSince, nextAttemptAt } = status ?? {};
  return {
    subscription: toSubscriptionResource(subscription),
    clientId,
    ...(userId === undefined ? {} : { userId }),
    ...(mcp === undefined ? {} : toMcpFields(subscription, mcp)),
    // Events of a suspended subscription are held and do not wait.
    waiting: state === 'ACTIVE' ? waiting : 0,
    ...(failingSince === undefined ? {} : { failingSince: formatTimestamp(failingSince) }),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptTime: formatTimestamp(nextAttemptAt) }),
    ...(undelivered === undefined ? {} : { undelivered }),
  };
}
