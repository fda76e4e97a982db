import { JsonError, splitJsonArray } from '../../kernel/text/json.ts';
import type { InTurn } from '../../kernel/wait/turns.ts';
import { eventsLimits } from '../limits.ts';
import type { Catalogue } from '../model/application.ts';
import type { NewEvent } from '../model/event.ts';
import { type FieldViolation, invalidArgument, mostViolations } from '../model/events-error.ts';
import { parseTimestamp } from '../model/proto-fields.ts';
import { parseJson } from '../model/proto-json.ts';

/** A request with events in one of the modes of the CloudEvents HTTP binding (E14.2). */
type CloudEventsRequest = {
  readonly headers: Headers;
  readonly body: string;
  /** Lets other work run while many events are read. */
  readonly inTurn: InTurn;
  /** The time of events that have none. */
  readonly now: number;
};

const reason = 'INVALID_EVENT';
/** E6.16 */
const largestEvent = eventsLimits.event.value;
/** A longer attribute is content, not a name. */
const longestAttribute = eventsLimits.attribute.value;
const mostEvents = eventsLimits.eventsInRequest.value;

/**
 * The events of a request, in binary, structured or batch mode as its content type says; plain JSON without `ce-`
 * headers is structured too. Ignores extension attributes. Throws `INVALID_ARGUMENT`, which names the bad fields by the
 * index of their event (E14.5), up to the number that an error names. Does not check whether the types exist.
 */
export async function readCloudEvents(request: CloudEventsRequest): Promise<NewEvent[]> {
  const { headers, body, now, inTurn } = request;
  const [contentType = ''] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  if (contentType.trim() !== 'application/cloudevents-batch+json') {
    const { event, violations } = readEvent(readSingle(headers, body, contentType.trim()), now);
    if (violations.length > 0) throw invalidArgument(violations, reason);
    return [event];
  }
  const events: NewEvent[] = [];
  const violations: FieldViolation[] = [];
  for (const member of membersOf(body)) {
    const prefix = `events[${events.length}]`;
    if (events.length === mostEvents) throw tooMany();
    const read = await inTurn(() => readEvent(asObject(parseJson(member, reason), prefix), now));
    events.push(read.event);
    for (const { field, description } of read.violations) {
      violations.push({ field: `${prefix}.${field}`, description });
    }
    if (violations.length >= mostViolations) break;
  }
  if (violations.length > 0) throw invalidArgument(violations, reason);
  if (events.length === 0) throw noBatch();
  return events;
}

function* membersOf(body: string): Generator<string> {
  try {
    yield* splitJsonArray(body);
  } catch (error) {
    throw error instanceof JsonError ? noBatch() : error;
  }
}

function noBatch() {
  return refuse('body', 'must be a JSON array of at least one event in batch mode');
}

function tooMany() {
  return refuse('body', `has more than ${mostEvents} events: publish them in several requests`);
}

type Given = Readonly<Record<string, unknown>>;

/** Reads structured or binary mode, or plain JSON, as clients generated from the discovery document send it. */
function readSingle(headers: Headers, body: string, contentType: string): Given {
  if (contentType === 'application/cloudevents+json')
    return asObject(parseJson(body, reason), 'body');
  if (headers.get('ce-specversion') === null) {
    if (contentType === 'application/json') return asObject(parseJson(body, reason), 'body');
    throw refuse(
      'ce-specversion',
      'is missing: send ce- headers with JSON data, or the content type application/cloudevents+json or application/cloudevents-batch+json',
    );
  }
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of headers) {
    if (name.startsWith('ce-')) attributes[name.slice(3)] = decodeHeader(value);
  }
  return { ...attributes, datacontenttype: contentType, data: parseJson(body, reason) };
}

function readEvent(given: Given, now: number): { event: NewEvent; violations: FieldViolation[] } {
  const violations: FieldViolation[] = [];
  const refuseField = (field: string, description: string) =>
    violations.push({ field, description });
  const text = (field: string): string => {
    const value = given[field];
    if (typeof value !== 'string' || value === '') {
      refuseField(field, 'must be a string that is not empty');
      return '';
    }
    // CloudEvents 1.0.2, section "Type System": a String holds neither control characters nor lone surrogates.
    if (/[\p{Cc}\p{Cs}]/u.test(value)) refuseField(field, 'must hold no control characters');
    if (Buffer.byteLength(value) > longestAttribute) {
      refuseField(field, `must not be longer than ${longestAttribute} bytes`);
    }
    return value;
  };

  if (given.specversion !== '1.0') refuseField('specversion', 'must be 1.0');
  const [id, source, type, subject] = [text('id'), text('source'), text('type'), text('subject')];
  if (subject !== '' && !/^\/\/[^/]+\/./.test(subject)) {
    const shown = JSON.stringify(subject.slice(0, 80));
    refuseField(
      'subject',
      `is ${shown} but must be a full resource name, such as //shop/orders/17`,
    );
  }
  const occurredAt = given.time === undefined ? now : parseTimestamp(String(given.time));
  if (occurredAt === undefined) refuseField('time', 'must be a timestamp as in RFC 3339');
  if (!isJsonType(given.datacontenttype)) {
    refuseField(
      'datacontenttype',
      'must be application/json, the only content type that is accepted',
    );
  }
  if (!isObject(given.data)) {
    refuseField('data', "must be a JSON object keyed by the resource's name in the singular");
  }
  const size = Buffer.byteLength(JSON.stringify(given));
  if (size > largestEvent) refuseField('data', `makes an event of more than ${largestEvent} bytes`);
  const data = isObject(given.data) ? given.data : {};
  return { event: { id, source, type, subject, occurredAt: occurredAt ?? now, data }, violations };
}

function isJsonType(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  const type = String(value).split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || /^application\/[^\s/]+\+json$/.test(type);
}

function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown, field: string): Given {
  if (isObject(value)) return value;
  throw refuse(field, 'must be a JSON object');
}

/** HTTP binding section 3.1.3.2: header values are in percent encoding. */
function decodeHeader(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function refuse(field: string, description: string) {
  return invalidArgument([{ field, description }], reason);
}

/**
 * Refuses events from outside whose type the catalogue does not know, or that this server alone
 * publishes. Throws `INVALID_ARGUMENT` that names each by its index (E14.5).
 */
export async function checkPublishedTypes(
  events: readonly NewEvent[],
  catalogue: Pick<Catalogue, 'applicationOf'>,
): Promise<void> {
  const problems = new Map<string, string | undefined>();
  for (const { type } of events) {
    if (!problems.has(type)) problems.set(type, await findProblem(type, catalogue));
  }
  const violations = events.flatMap(({ type }, index): FieldViolation[] => {
    const description = problems.get(type);
    const field = events.length === 1 ? 'type' : `events[${index}].type`;
    return description === undefined ? [] : [{ field, description }];
  });
  if (violations.length > 0) throw invalidArgument(violations, 'UNKNOWN_EVENT_TYPE');
}

async function findProblem(
  type: string,
  catalogue: Pick<Catalogue, 'applicationOf'>,
): Promise<string | undefined> {
  if (type.startsWith('tradewind.')) {
    return `is ${type}, which only this server publishes`;
  }
  const application = await catalogue.applicationOf(type);
  const isKnown =
    application?.targets.some(({ eventTypes }) => eventTypes.includes(type)) ||
    Object.values(application?.batchTypes ?? {}).includes(type);
  return isKnown
    ? undefined
    : `is ${type}, which no application has: GET /v1/applications (tradewind applications list) lists all event types`;
}
