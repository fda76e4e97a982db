import { z } from 'zod';
import { drawHex } from '../../kernel/model/random.ts';
import { toTargetResource } from '../applications/create-applications.ts';
import { sampleEvent } from '../applications/sample-event.ts';
import type { Application } from '../model/application.ts';
import { accountOf, type EventsCaller, isAdmin, principalOf } from '../model/caller.ts';
import { type NewEvent, occurrenceId } from '../model/event.ts';
import { EventsError, invalidArgument } from '../model/events-error.ts';
import { subscriptionName } from '../model/subscription.ts';
import { listSubscriptionsOfTypes } from '../store/subscription-store.ts';
import { findMonitored, type MonitorContext, type MonitorRequest } from './find-monitored.ts';

/** An event for tests; the publisher adds what makes it unique. */
export const sample = z
  .object({
    type: z.string(),
    subject: z.string(),
    data: z.record(z.string(), z.unknown()),
    publishable: z
      .boolean()
      .describe('Whether clients may publish it; only this server publishes some types.'),
  })
  .meta({ id: 'SampleEvent', description: 'A sample of an event type, to publish or to show.' });

export const sampledApplication = z
  .object({
    name: z.string(),
    builtIn: z.boolean().describe('Whether it is built in and cannot be removed.'),
    scopes: z
      .array(z.string())
      .describe('A caller needs one of these scopes, or none if the list is empty.'),
    targets: z.array(
      z.object({
        pattern: z.string(),
        eventTypes: z.array(z.string()).readonly(),
        clientScope: z.string().optional(),
      }),
    ),
    samples: z.array(sample).describe('One for each event type.'),
    subscriptions: z
      .int()
      .optional()
      .describe('How many subscriptions it has, for an admin; 1000 means 1000 or more.'),
  })
  .meta({ id: 'SampledApplication', description: 'An application of the catalogue with samples.' });

const mostCounted = 1_000;

/** The catalogue with a sample of each event type (K7); for an admin also how many subscriptions each has. */
export async function listSampled(
  { catalogue, database }: Pick<MonitorContext, 'catalogue' | 'database'>,
  caller: EventsCaller,
): Promise<{ applications: z.input<typeof sampledApplication>[] }> {
  const applications = [];
  for (const application of await catalogue.list()) {
    const { name, isBuiltIn: builtIn, scopes, targets } = application;
    const eventTypes = [...new Set(targets.flatMap((target) => target.eventTypes))];
    const query = { eventTypes, after: '', limit: mostCounted };
    const count = isAdmin(caller)
      ? (await listSubscriptionsOfTypes(database, query)).length
      : undefined;
    applications.push({
      name,
      builtIn,
      scopes: [...scopes],
      targets: targets.map(toTargetResource),
      samples: eventTypes.flatMap((type) => toSample(type, { application }) ?? []),
      ...(count === undefined ? {} : { subscriptions: count }),
    });
  }
  return { applications };
}

/** A sample of one type, on a target if one is named. Throws `NOT_FOUND` where no application has the type. */
export async function getSample(
  { catalogue }: Pick<MonitorContext, 'catalogue'>,
  { type, target }: { readonly type: string; readonly target?: string | undefined },
): Promise<z.input<typeof sample>> {
  const application = await catalogue.applicationOf(type);
  const found = application && toSample(type, { application, target });
  if (found !== undefined) return found;
  const told = type.slice(0, 100);
  throw new EventsError(
    'NOT_FOUND',
    `No application has the event type ${told}: GET /v1/applications (tradewind applications list) lists all event types.`,
    {
      reason: 'UNKNOWN_EVENT_TYPE',
      metadata: { type: told },
      resource: { type: 'eventType', name: told },
    },
  );
}

function toSample(
  type: string,
  on: { readonly application: Application; readonly target?: string | undefined },
): z.input<typeof sample> | undefined {
  const made = sampleEvent(type, on);
  return made && { ...made, data: { ...made.data }, publishable: !type.startsWith('tradewind.') };
}

/**
 * Sends a sample of one of its event types to this subscription only, after the events that already wait. Returns the
 * id of the event (K3). Throws `NOT_FOUND`, `INVALID_ARGUMENT` for a type that the subscription does not have, and
 * `FAILED_PRECONDITION` where it is suspended or its application is gone.
 */
export async function sendTestEvent(
  context: MonitorContext,
  request: MonitorRequest & { readonly eventType?: string | undefined },
): Promise<{ eventId: string; eventType: string }> {
  const { catalogue, database, clock, random, publisher } = context;
  const { subscription } = await findMonitored(context, request);
  const { id, eventTypes, targetResource: target, state } = subscription;
  const type = request.eventType ?? eventTypes[0] ?? '';
  if (!eventTypes.includes(type)) {
    const description = `is ${type.slice(0, 100)}, which the subscription does not have: it has ${eventTypes.join(', ')}`;
    throw invalidArgument([{ field: 'eventType', description }]);
  }
  const name = subscriptionName(id);
  if (state === 'SUSPENDED') {
    throw impossible(name, `${name} is suspended, so nothing can be sent: reactivate it first.`);
  }
  const application = await catalogue.applicationOf(type);
  const sample = application && sampleEvent(type, { application, target });
  if (sample === undefined) throw impossible(name, `No application has ${type} any more.`);
  const event: NewEvent = {
    ...sample,
    id: `test-${drawHex(random, 8)}`,
    source: '//test',
    occurredAt: clock.now(),
    publishedBy: { principal: principalOf(request.caller), account: accountOf(request.caller) },
  };
  await database.transaction((tx) =>
    publisher.publishTo(tx, { subscriptionIds: [id], events: [event] }),
  );
  const by = principalOf(request.caller);
  const eventId = subscription.mcp ? occurrenceId(by, event.source, event.id) : event.id;
  return { eventId, eventType: type };
}

function impossible(name: string, description: string): EventsError {
  return new EventsError('FAILED_PRECONDITION', description, {
    reason: 'TEST_EVENT_IMPOSSIBLE',
    metadata: { name },
    preconditionViolations: [{ type: 'STATE', subject: name, description }],
  });
}
