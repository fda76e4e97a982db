import { z } from 'zod';
import { currentSpan } from '../../../kernel/telemetry/trace.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { boundTurns } from '../../../kernel/wait/turns.ts';
import { requireScopes } from '../../applications/require-scopes.ts';
import { eventsLimits } from '../../limits.ts';
import type { Catalogue } from '../../model/application.ts';
import { accountOf, principalOf } from '../../model/caller.ts';
import type { PublishResult } from '../../model/event.ts';
import type { Publisher } from '../../publishing/create-publisher.ts';
import type { StorageMeter } from '../../publishing/create-storage-meter.ts';
import { checkPublishedTypes, readCloudEvents } from '../../publishing/read-cloud-events.ts';
import type { Quotas } from '../create-quotas.ts';
import { declareMethod, noQuery, type ServedMethod, serveMethod } from './method.ts';

/** For the discovery document only: the content type decides how a request is read, see `readCloudEvents`. */
const cloudEvent = z
  .object({
    specversion: z.string().describe('1.0'),
    id: z.string().describe('With the source it makes the event unique.'),
    source: z.string().describe('Who publishes it.'),
    type: z.string().describe('A type of the catalogue.'),
    subject: z.string().describe('Full name of the resource on which it happened.'),
    time: z
      .string()
      .optional()
      .meta({ format: 'google-datetime', description: 'When it happened.' }),
    datacontenttype: z.string().optional().describe('application/json'),
    data: z
      .record(z.string(), z.unknown())
      .describe('The resource under its name in the singular.'),
  })
  .meta({ id: 'CloudEvent', description: 'An event (CloudEvents 1.0).' });

const published = z
  .object({
    accepted: z.int32().describe('How many events are new.'),
    duplicates: z.int32().describe('How many were known already.'),
  })
  .meta({ id: 'PublishEventsResponse', description: 'The outcome of publishing.' });

/** The headers that hold the attributes in binary mode. */
const eventHeaders = z.object({
  'ce-specversion': z.string().optional().describe('1.0'),
  'ce-id': z.string().optional().describe('With the source it makes the event unique.'),
  'ce-source': z.string().optional().describe('Who publishes it.'),
  'ce-type': z.string().optional().describe('A type of the catalogue.'),
  'ce-subject': z.string().optional().describe('The resource on which it happened.'),
  'ce-time': z.string().optional().describe('When it happened.'),
});

/** Its body is described as it is in structured mode. */
export const publishEvents = declareMethod({
  id: 'events.publish',
  method: 'POST',
  path: '/v1/events',
  parameters: noQuery,
  headers: eventHeaders,
  request: cloudEvent,
  requestTypes: [
    'application/cloudevents+json',
    'application/cloudevents-batch+json',
    'application/json',
  ],
  bodyBytes: eventsLimits.publishBody.value,
  response: published,
  status: 202,
  scopes: ['events.publish'],
  description: 'Publishes CloudEvents in binary, structured or batch mode.',
});

export type PublishMethodOptions = {
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly catalogue: Pick<Catalogue, 'applicationOf' | 'match'>;
  readonly quotas: Pick<Quotas, 'takeBytes'>;
  readonly storage: Pick<StorageMeter, 'takeRoom'>;
  readonly clock: Clock;
};

/**
 * `POST /v1/events` (E14.1 to E14.5): answered once every event of the request is durable. A publisher needs one of
 * the application's scopes, as a subscriber does (F7). It is refused beyond the quota of bytes a minute (F8), and
 * while stored events fill their limit (N5).
 */
export function publishMethod(options: PublishMethodOptions): ServedMethod {
  const { publisher, catalogue, quotas, storage, clock } = options;
  const inTurn = boundTurns(clock);
  return serveMethod(publishEvents, async ({ request, caller }) => {
    const body = await request.text();
    const bytes = Buffer.byteLength(body);
    const room = storage.takeRoom(principalOf(caller), bytes);
    let result: PublishResult | undefined;
    try {
      await quotas.takeBytes(bytes, caller);
      const { headers } = request;
      const events = await readCloudEvents({ headers, body, now: clock.now(), inTurn });
      await checkPublishedTypes(events, catalogue);
      const eventTypes = events.map(({ type }) => type);
      await requireScopes({ catalogue, caller, eventTypes, of: 'every type' });
      const publishedBy = { principal: principalOf(caller), account: accountOf(caller) };
      const trace = currentSpan()?.header;
      result = await publisher.publish(events.map((event) => ({ ...event, publishedBy, trace })));
      return result;
    } finally {
      room.settle(result);
    }
  });
}
