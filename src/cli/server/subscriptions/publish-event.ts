import type { EventsAnswers } from '../../../events/wire.ts';
import type { EventsClient } from './create-events-client.ts';

/** What a person says of an event; the rest is filled in. */
export type EventToPublish = {
  readonly type: string;
  readonly subject: string;
  readonly data: object;
  /** The source of the event; by default the subject. */
  readonly source?: string | undefined;
  /** A new one unless said otherwise. */
  readonly id?: string | undefined;
};

/** Publishes one event of now. Gives the event as it was sent, and what the server answered. */
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
  const answer = await client.request<EventsAnswers['publishEvents']>('POST', '/v1/events', sent);
  return { event, answer };
}
