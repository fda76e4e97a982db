import { drawHex } from '../../kernel/random/draw-text.ts';
import { sampleEvent } from '../applications/sample-event.ts';
import { accountOf, principalOf } from '../caller.ts';
import { EventsError } from '../errors/events-error.ts';
import { invalidArgument } from '../errors/invalid-argument.ts';
import type { NewEvent } from '../model/event.ts';
import { subscriptionName } from '../model/subscription-name.ts';
import { findMonitored } from './find-monitored.ts';
import type { MonitorContext, MonitorRequest } from './monitor-context.ts';

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
  return { eventId: event.id, eventType: type };
}

function impossible(name: string, description: string): EventsError {
  return new EventsError('FAILED_PRECONDITION', description, {
    reason: 'TEST_EVENT_IMPOSSIBLE',
    metadata: { name },
    preconditionViolations: [{ type: 'STATE', subject: name, description }],
  });
}
