import { declaredData } from '../../applications/declared-data.ts';
import type { QueuedEvent } from '../../model/queued-event.ts';
import type { PayloadOptions } from '../../model/subscription.ts';
import { formatTime } from './format-time.ts';
import type { OutgoingEvent } from './outgoing-event.ts';
import { shapeData } from './shape-data.ts';

/**
 * A queued event as a subscription gets it: the publisher's id, the subscription as its source
 * (E14.8), and data as the payload options say. Lifecycle events are not shaped.
 */
export function toOutgoingEvent(
  { number, id, type, subject, occurredAt, data, isNotice }: QueuedEvent,
  { source, payload }: { readonly source: string; readonly payload: PayloadOptions | undefined },
): OutgoingEvent {
  const time = formatTime(occurredAt);
  const shaped = isNotice ? data : shapeData(data, { payload, declared: declaredData(type) });
  return { number, id, source, type, subject, time, data: shaped };
}

/** The id of a batch, the same on every attempt: the event's id, or one made of its place in the queue (E10.20). */
export function toBatchId(
  subscriptionId: string,
  { first, last }: Record<'first' | 'last', Pick<QueuedEvent, 'id' | 'number'> | undefined>,
): string {
  if (first !== undefined && first.number === last?.number) return first.id;
  return `${subscriptionId}.${first?.number}-${last?.number}`;
}
