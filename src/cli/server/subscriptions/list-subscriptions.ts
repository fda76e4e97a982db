import type { EventsAnswers } from '../../../events/wire.ts';
import { readPages } from '../read-pages.ts';
import type { EventsClient } from './create-events-client.ts';

type Subscription = EventsAnswers['subscriptions']['get'];

/** A subscription as a server answers it: requests may leave these fields out, and answers have them. */
export type ListedSubscription = Subscription & {
  readonly [Field in 'name' | 'state' | 'targetResource' | 'expireTime']: NonNullable<
    Subscription[Field]
  >;
};

/** The filter stands in the URL, and servers read some 8,000 characters of it. */
const typesAtOnce = 50;

/**
 * One's own subscriptions with any of these event types; without any, with those of the whole
 * catalogue, for the interface lists by type alone.
 */
export async function listSubscriptions(
  client: EventsClient,
  types: readonly string[],
): Promise<readonly ListedSubscription[]> {
  const { open, all } = types.length > 0 ? { open: [], all: types } : await readEventTypes(client);
  const byName = new Map<string, ListedSubscription>();
  for (let start = 0; start < all.length; start += typesAtOnce) {
    // A caller may list as soon as one of the types is open to them: so nobody is asked for more scopes.
    const wanted = new Set([...open.slice(0, 1), ...all.slice(start, start + typesAtOnce)]);
    for await (const subscription of list(client, [...wanted])) {
      byName.set(subscription.name, subscription);
    }
  }
  return [...byName.values()];
}

async function* list(
  client: EventsClient,
  types: readonly string[],
): AsyncGenerator<ListedSubscription> {
  const filter = types.map((type) => `event_types:${JSON.stringify(type)}`).join(' OR ');
  const ask = (pageToken: string | undefined) => {
    const query = { filter, pageSize: '100', ...(pageToken ? { pageToken } : {}) };
    return client.request<EventsAnswers['subscriptions']['list']>('GET', '/v1/subscriptions', {
      query,
    });
  };
  for await (const page of readPages(ask, ({ nextPageToken }) => nextPageToken)) {
    yield* (page.subscriptions ?? []) as ListedSubscription[];
  }
}

/** Every event type of the catalogue, and those among them that want no scope of their own. */
async function readEventTypes(
  client: EventsClient,
): Promise<{ open: readonly string[]; all: readonly string[] }> {
  const { applications } = await client.request<EventsAnswers['applications']['list']>(
    'GET',
    '/v1/applications',
  );
  const typesOf = (some: typeof applications) => [
    ...new Set(some.flatMap(({ targets }) => targets.flatMap((one) => one.eventTypes))),
  ];
  return {
    open: typesOf(applications.filter(({ scopes = [] }) => scopes.length === 0)),
    all: typesOf(applications),
  };
}
