import type { SigningKey } from '../../model/signing-secret.ts';
import type { ContentMode } from '../../model/subscription.ts';
import type { OutgoingBatch, OutgoingEvent } from '../outgoing-event.ts';
import { toOccurrence } from '../to-occurrence.ts';

export type WebhookMessage = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A batch in a content mode of the CloudEvents HTTP binding 1.0.2 (E10.19), yet unsigned. */
export function writeWebhook(
  { events }: Pick<OutgoingBatch, 'events'>,
  mode: ContentMode,
): WebhookMessage {
  if (mode === 'BATCH') {
    return {
      headers: { 'content-type': 'application/cloudevents-batch+json; charset=utf-8' },
      body: `[${events.map(toStructured).join(',')}]`,
    };
  }
  const [event] = events;
  if (event === undefined) throw new RangeError('A webhook without an event was to be written.');
  if (mode === 'MCP') {
    return { headers: { 'content-type': 'application/json' }, body: writeMcpBody(event) };
  }
  if (mode === 'STRUCTURED') {
    return {
      headers: { 'content-type': 'application/cloudevents+json; charset=utf-8' },
      body: toStructured(event),
    };
  }
  return {
    headers: {
      'content-type': 'application/json',
      'ce-specversion': '1.0',
      'ce-id': toHeader(event.id),
      'ce-source': toHeader(event.source),
      'ce-type': toHeader(event.type),
      'ce-subject': toHeader(event.subject),
      'ce-time': event.time,
    },
    body: event.data,
  };
}

/** The body of a delivery of MCP Events (M34), or the control body that the event holds (M44, M45). */
function writeMcpBody(event: OutgoingEvent): string {
  if (event.isNotice) return event.data;
  return JSON.stringify({ ...toOccurrence(event), cursor: event.cursor });
}

/** The JSON format of CloudEvents 1.0.2, with its data as it is. */
export function toStructured({ id, source, type, subject, time, data }: OutgoingEvent): string {
  const quoted = JSON.stringify;
  return `{"specversion":"1.0","id":${quoted(id)},"source":${quoted(source)},"type":${quoted(type)},"subject":${quoted(subject)},"time":"${time}","datacontenttype":"application/json","data":${data}}`;
}

/** An id as a header value: unchanged if it is printable ASCII, otherwise percent-encoded. */
export function toWebhookId(id: string): string {
  return /^[!-~]([ -~]*[!-~])?$/.test(id) ? id : toHeader(id);
}

/** What identifies an attempt, beside its signature: the id of the batch, and the time in whole seconds. */
export function toWebhookMarks({ id, at }: Pick<OutgoingBatch, 'id' | 'at'>): WebhookMarks {
  return { id: toWebhookId(id), timestamp: Math.floor(at / 1_000) };
}

type WebhookMarks = { readonly id: string; readonly timestamp: number };

/** The headers of an attempt, without the signature. */
export function toWebhookHeaders(
  { headers }: Pick<WebhookMessage, 'headers'>,
  { id, timestamp, mcpId }: WebhookMarks & { readonly mcpId?: string | undefined },
): Record<string, string> {
  return {
    ...headers,
    ...(mcpId === undefined ? {} : { 'x-mcp-subscription-id': mcpId }),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'user-agent': 'tradewind',
  };
}

/** HTTP binding section 3.1.3.2: percent-encodes the UTF-8 of space, `"`, `%` and all that is not printable ASCII. */
function toHeader(value: string): string {
  if (/^[!#$&-~]*$/.test(value)) return value;
  return value.replace(/[^!#$&-~]+/gu, (part) =>
    Buffer.from(part).toString('hex').toUpperCase().replace(/../g, '%$&'),
  );
}

type SignedContent = {
  readonly id: string;
  /** Whole seconds. */
  readonly timestamp: number;
  readonly body: string;
};

/** The value of `webhook-signature`: one signature for each key, separated by spaces (E10.22, E10.23). */
export function signWebhook(
  { id, timestamp, body }: SignedContent,
  keys: readonly SigningKey[],
): string {
  const content = `${id}.${timestamp}.${body}`;
  return keys.map(({ scheme, sign }) => `${scheme},${sign(content)}`).join(' ');
}
