import { z } from 'zod';
import { SealError } from '../../kernel/crypto/seal-error.ts';
import { requireScopes } from '../applications/require-scopes.ts';
import { type EventsCaller, principalOf } from '../caller.ts';
import { eventTypesIn, matchesFilter } from '../filter/matches-filter.ts';
import { type Filter, parseFilter } from '../filter/parse-filter.ts';
import { invalidArgument } from '../invalid-argument.ts';
import type { Subscription } from '../model/subscription.ts';
import { subscriptionMessage } from '../model/subscription-message.ts';
import { text } from '../proto-json/fields.ts';
import { createSubscriptionStore } from '../store/subscription-store.ts';
import type { SubscriptionContext } from './subscription-context.ts';
import { toSubscriptionResource } from './to-subscription-resource.ts';

/** The answer of list. */
export const listSubscriptionsMessage = z
  .strictObject({
    subscriptions: z.array(subscriptionMessage).optional().describe('Those of this page.'),
    nextPageToken: text.optional().describe('For the next page; left out on the last one.'),
  })
  .meta({ id: 'ListSubscriptionsResponse', description: 'A page of subscriptions.' });

export type ListRequest = {
  readonly caller: EventsCaller;
  readonly filter?: string | undefined;
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
};

// E6.5
const [defaultPageSize, largestPageSize] = [50, 100];
// Reading goes in steps, and one request looks at so many at most; its page may then be short (E3.9).
const [readAtOnce, mostRead] = [200, 2_000];

/**
 * A page of the caller's subscriptions that fit the filter (E3.4-E3.15). Throws `INVALID_ARGUMENT`
 * for a bad filter, page size or page token, and `PERMISSION_DENIED`.
 */
export async function listSubscriptions(
  context: SubscriptionContext,
  request: ListRequest,
): Promise<z.input<typeof listSubscriptionsMessage>> {
  const { caller, pageSize = 0, pageToken = '' } = request;
  const { catalogue } = context;
  const filter = readFilter(request.filter);
  await requireScopes({ catalogue, caller, eventTypes: eventTypesIn(filter), of: 'one type' });
  if (pageSize < 0) {
    throw invalidArgument([{ field: 'pageSize', description: 'must not be negative' }]);
  }
  const size = Math.min(pageSize || defaultPageSize, largestPageSize);
  // A token holds for this principal and this filter alone.
  const binding = JSON.stringify(['list', principalOf(caller), request.filter]);
  const after = pageToken === '' ? '' : openToken(context, { pageToken, binding });
  const { page, last } = await readPage(context, { caller, filter, size, after });
  return {
    subscriptions: page.map(toSubscriptionResource),
    ...(last === undefined ? {} : { nextPageToken: context.sealer.seal(last, binding) }),
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

function openToken(
  { sealer }: SubscriptionContext,
  { pageToken, binding }: { readonly pageToken: string; readonly binding: string },
): string {
  try {
    return sealer.open(pageToken, binding);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const description = 'does not belong to this filter and caller: take it from the page before';
    throw invalidArgument([{ field: 'pageToken', description }], 'INVALID_PAGE_TOKEN');
  }
}

/** `last` is where the next page goes on, where there may be more. */
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
  const store = createSubscriptionStore(database);
  const query = { principal: principalOf(caller), now: clock.now(), limit: readAtOnce };
  const page: Subscription[] = [];
  let last = options.after;
  for (let read = 0; read < mostRead; read += readAtOnce) {
    const rows = await store.list({ ...query, after: last });
    for (const subscription of rows) {
      if (page.length === size) return { page, last };
      last = subscription.id;
      if (matchesFilter(filter, subscription)) page.push(subscription);
    }
    if (rows.length < readAtOnce) return { page, last: undefined };
  }
  return { page, last };
}
