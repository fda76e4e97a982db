import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ServerError } from '../server-error.ts';
import type { EventsClient } from './create-events-client.ts';
import { type ListedSubscription, subscriptionShape } from './list-subscriptions.ts';

/** The subscription that the person asked for. */
export type WantedSubscription = {
  readonly eventTypes: readonly string[];
  readonly notificationEndpoint: Readonly<Record<string, unknown>>;
  readonly swapOptions?: Readonly<Record<string, unknown>>;
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
  const options = Object.entries(wanted.swapOptions ?? {}).filter(
    ([, value]) => value !== undefined,
  );
  return (
    'eventStream' in there.notificationEndpoint &&
    'eventStream' in wanted.notificationEndpoint &&
    isDeepStrictEqual(new Set(there.eventTypes), new Set(wanted.eventTypes)) &&
    options.every(([name, value]) => there.swapOptions?.[name] === value)
  );
}
