import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { EventsAnswers } from '../../events/wire.ts';
import type { EventsClient } from './events-client.ts';
import { readPages } from './server-client.ts';
import { ServerError } from './server-error.ts';

type Subscription = EventsAnswers['subscriptions']['get'];

/** A subscription in an answer. Requests may leave these fields out; answers always have them. */
export type ListedSubscription = Subscription & {
  readonly [Field in 'name' | 'state' | 'targetResource' | 'expireTime']: NonNullable<
    Subscription[Field]
  >;
};

/** The fields of a subscription that commands read. */
export const subscriptionShape = z.looseObject({
  name: z.string(),
  state: z.string(),
  targetResource: z.string(),
  expireTime: z.string(),
});

/** The fields of the catalogue that commands read. */
export const catalogueShape = {
  applications: z.array(
    z.looseObject({
      name: z.string(),
      targets: z.array(z.looseObject({ pattern: z.string(), eventTypes: z.array(z.string()) })),
      scopes: z.array(z.string()).optional(),
    }),
  ),
};

const pageShape = {
  subscriptions: z.array(subscriptionShape).optional(),
  nextPageToken: z.string().optional(),
};

/** The filter is part of the URL, of which servers read some 8,000 characters. */
const typesAtOnce = 50;

/**
 * The caller's subscriptions with any of these event types. Without types it asks for those of the
 * whole catalogue, since the interface lists only by type.
 */
export async function listSubscriptions(
  client: EventsClient,
  types: readonly string[],
): Promise<readonly ListedSubscription[]> {
  const { open, all } = types.length > 0 ? { open: [], all: types } : await readEventTypes(client);
  const byName = new Map<string, ListedSubscription>();
  for (let start = 0; start < all.length; start += typesAtOnce) {
    // One open type is enough to be allowed to list, so every filter has one and needs no further scopes.
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
    return client.request<EventsAnswers['subscriptions']['list']>(
      'GET',
      '/v1/subscriptions',
      pageShape,
      { query },
    );
  };
  for await (const page of readPages(ask, ({ nextPageToken }) => nextPageToken)) {
    yield* (page.subscriptions ?? []) as ListedSubscription[];
  }
}

/** Every event type of the catalogue, and those of applications that require no scope. */
async function readEventTypes(
  client: EventsClient,
): Promise<{ open: readonly string[]; all: readonly string[] }> {
  const { applications } = await client.request<EventsAnswers['applications']['list']>(
    'GET',
    '/v1/applications',
    catalogueShape,
  );
  const typesOf = (some: typeof applications) => [
    ...new Set(some.flatMap(({ targets }) => targets.flatMap((one) => one.eventTypes))),
  ];
  return {
    open: typesOf(applications.filter(({ scopes = [] }) => scopes.length === 0)),
    all: typesOf(applications),
  };
}

/** The subscription that the person asked for. */
type WantedSubscription = {
  readonly eventTypes: readonly string[];
  readonly notificationEndpoint: Readonly<Record<string, unknown>>;
  readonly swapOptions?: Readonly<Record<string, unknown>>;
  readonly payloadOptions?: NonNullable<Subscription['payloadOptions']>;
};

type ExistingSubscription = WantedSubscription & ListedSubscription;

const shape = {
  ...subscriptionShape.shape,
  eventTypes: z.array(z.string()),
  notificationEndpoint: z.looseObject({}),
};

/**
 * Finds the existing subscription that made the server refuse the same one again, to listen to it
 * instead. It must be a stream, which has no secret that is shown only once. Throws the refusal if it has
 * another reason, and `ALREADY_EXISTS` with the way out if the existing subscription differs.
 */
export async function findSameSubscription(
  client: EventsClient,
  wanted: WantedSubscription,
  refusal: unknown,
): Promise<ListedSubscription> {
  const name = nameIn(refusal);
  if (name === undefined) throw refusal;
  const there = await client.request<ExistingSubscription>('GET', `/v1/${name}`, shape);
  if (isSame(there, wanted)) return there;
  throw new ServerError(
    'ALREADY_EXISTS',
    `You have ${name} for this target already, with other types, options or another endpoint: ${lookAt(there)}, or delete it first with tradewind subscriptions delete ${name}.`,
    { cause: refusal },
  );
}

/** Names the command that shows the events of an existing subscription. */
function lookAt({ name, notificationEndpoint }: ExistingSubscription): string {
  return 'eventStream' in notificationEndpoint
    ? `read its events with tradewind listen ${name}`
    : `see what was sent with tradewind deliveries ${name}`;
}

function nameIn(refusal: unknown): string | undefined {
  if (!(refusal instanceof ServerError) || refusal.code !== 'ALREADY_EXISTS') return undefined;
  const { resourceName } = refusal.details ?? {};
  return /^subscriptions\/[\w-]+$/.exec(String(resourceName))?.[0];
}

/** Ignores options that were not asked for: the server chose them. */
function isSame(there: WantedSubscription, wanted: WantedSubscription): boolean {
  const payloadOf = ({
    payloadOptions: { includeResource = false, fieldMask } = {},
  }: typeof there) => (includeResource ? (fieldMask ?? '*') : '');
  const options = Object.entries(wanted.swapOptions ?? {}).filter(
    ([, value]) => value !== undefined,
  );
  return (
    'eventStream' in there.notificationEndpoint &&
    'eventStream' in wanted.notificationEndpoint &&
    isDeepStrictEqual(new Set(there.eventTypes), new Set(wanted.eventTypes)) &&
    payloadOf(there) === payloadOf(wanted) &&
    options.every(([name, value]) => there.swapOptions?.[name] === value)
  );
}
