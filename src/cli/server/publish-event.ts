import { z } from 'zod';
import type { EventsAnswers } from '../../events/wire.ts';
import type { EventsClient } from './events-client.ts';

/** The fields of an event that the person gives; {@link publishEvent} fills in the rest. */
type EventToPublish = {
  readonly type: string;
  readonly subject: string;
  readonly data: object;
  /** The source of the event; by default the subject. */
  readonly source?: string | undefined;
  /** By default a new UUID. */
  readonly id?: string | undefined;
};

/** Publishes one event with the current time. Returns the event as it was sent, and the server's answer. */
export async function publishEvent(client: EventsClient, given: EventToPublish) {
  const { type, subject, data, source = subject, id = crypto.randomUUID() } = given;
  const event = {
    specversion: '1.0',
    id,
    source,
    type,
    subject,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data,
  };
  const contentType = 'application/cloudevents+json';
  const sent = { body: event, contentType };
  const answer = await client.request<EventsAnswers['publishEvents']>(
    'POST',
    '/v1/events',
    { accepted: z.number() },
    sent,
  );
  return { event, answer };
}
