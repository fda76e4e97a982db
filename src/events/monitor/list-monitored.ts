import type { EventsCaller } from '../caller.ts';
import { reachOf } from '../model/reach.ts';
import { type PageRequest, readPageRequest } from '../read-page-request.ts';
import { countUndelivered, readLaneStatus } from '../store/lanes/attempt-store.ts';
import { listSubscriptionsWithin } from '../store/subscription-store.ts';
import { findMonitored } from './find-monitored.ts';
import type { MonitorContext, MonitorRequest } from './monitor-context.ts';
import { toMonitored } from './monitored-subscription.ts';

export type ListMonitoredRequest = PageRequest & {
  readonly caller: EventsCaller;
  readonly state?: 'ACTIVE' | 'SUSPENDED' | undefined;
};

/** Undelivered events are counted only up to this number. */
const mostCounted = 10_000;

/**
 * A page of the subscriptions that the caller may monitor, with the state of their delivery (K2).
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
  const page = found.slice(0, size);
  const statuses = await readLaneStatus(
    database,
    page.map(({ id }) => id),
  );
  const last = page.at(-1);
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
  return toMonitored(subscription, { status, undelivered });
}
