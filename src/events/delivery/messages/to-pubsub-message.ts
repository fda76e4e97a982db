import type { OutgoingEvent } from './outgoing-event.ts';

/** A message as Pub/Sub has it, in the binary mode of CloudEvents (E10.10). */
export type PubsubMessage = {
  readonly attributes: Readonly<Record<string, string>>;
  /** The JSON text; JSON messages hold the base64 of it. */
  readonly data: Buffer;
  readonly orderingKey: string;
};

export function toPubsubMessage(event: OutgoingEvent): PubsubMessage {
  return {
    attributes: {
      'ce-datacontenttype': 'application/json',
      'ce-id': event.id,
      'ce-source': event.source,
      'ce-specversion': '1.0',
      'ce-subject': event.subject,
      'ce-time': event.time,
      'ce-type': event.type,
    },
    data: Buffer.from(event.data),
    orderingKey: event.source,
  };
}
