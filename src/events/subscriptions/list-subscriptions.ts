import { z } from 'zod';
import { requireScopes } from '../applications/require-scopes.ts';
import { type EventsCaller, principalOf } from '../model/caller.ts';
import { invalidArgument } from '../model/events-error.ts';
import { text } from '../model/proto-fields.ts';
import type { Subscription } from '../model/subscription.ts';
import { subscriptionMessage } from '../model/subscription-message.ts';
import { type PageRequest, readPageRequest } from '../read-page-request.ts';
import { listOwnSubscriptions } from '../store/subscription-store.ts';
import { eventTypesIn, type Filter, matchesFilter, parseFilter } from './filter.ts';
import type { SubscriptionContext } from './subscription-context.ts';
import { toSubscriptionResource } from './subscription-resource.ts';

/** The answer of list. */
export const listSubscriptionsMessage = z
  .strictObject({
    subscriptions: z
      .array(subscriptionMessage)
      .optional()
      .describe('The subscriptions of this page.'),
    nextPageToken: text.optional().describe('For the next page; left out on the last one.'),
  })
  .meta({ id: 'ListSubscriptionsResponse', description: 'A page of subscriptions.' });

export type ListRequest = PageRequest & {
  readonly caller: EventsCaller;
  readonly filter?: string | undefined;
};

// One request looks at a bounded number of subscriptions, in steps, so its page may be short (E3.9).
const [readAtOnce, mostRead] = [200, 2_000];

/**
 * A page of the caller's subscriptions that fit the filter (E3.4-E3.15). Throws `INVALID_ARGUMENT`
 * for a bad filter, page size or page token, and `PERMISSION_DENIED`.
 */
export async function listSubscriptions(
  context: SubscriptionContext,
  request: ListRequest,
): Promise<z.input<typeof listSubscriptionsMessage>> {
  const { caller } = request;
  const { catalogue, sealer } = context;
  const filter = readFilter(request.filter);
  await requireScopes({ catalogue, caller, eventTypes: eventTypesIn(filter), of: 'one type' });
  const list = ['subscriptions', principalOf(caller), request.filter ?? ''];
  const { size, after, tokenAt } = readPageRequest(request, { sealer, list });
  const { page, last } = await readPage(context, { caller, filter, size, after });
  return {
    subscriptions: page.map(toSubscriptionResource),
    ...(last === undefined ? {} : { nextPageToken: tokenAt(last) }),
  };
}

function readFilter(filter = ''): Filter {
  if (filter.trim() === '') {
    const description =
      'is required, such as event_types:"google.workspace.chat.message.v1.created"';
    throw invalidArgument([{ field: 'filter', description }], 'INVALID_FILTER');
  }
  const parsed = parseFilter(filter);
  if (parsed.filter !== undefined) return parsed.filter;
  throw invalidArgument([{ field: 'filter', description: parsed.problem }], 'INVALID_FILTER');
}

/** `last` is where the next page continues; undefined if nothing is left. */
async function readPage(
  { database, clock }: SubscriptionContext,
  options: {
    readonly caller: EventsCaller;
    readonly filter: Filter;
    readonly size: number;
    readonly after: string;
  },
): Promise<{ page: Subscription[]; last: string | undefined }> {
  const { caller, filter, size } = options;
  const query = { principal: principalOf(caller), now: clock.now(), limit: readAtOnce };
  const page: Subscription[] = [];
  let last = options.after;
  for (let read = 0; read < mostRead; read += readAtOnce) {
    const rows = await listOwnSubscriptions(database, { ...query, after: last });
    for (const subscription of rows) {
      if (page.length === size) return { page, last };
      last = subscription.id;
      if (matchesFilter(filter, subscription)) page.push(subscription);
    }
    if (rows.length < readAtOnce) return { page, last: undefined };
  }
  return { page, last };
}
