import { eventsLimits } from '../limits.ts';
import type { OutgoingEvent } from './outgoing-event.ts';

/** An event as MCP clients get it (M34, M37). The same by webhook, poll and stream. */
export type Occurrence = {
  readonly eventId: string;
  readonly name: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
};

const largestBody = eventsLimits.mcpBody.value;
/** Room for the other fields of a body, and the cursor. */
const frameBytes = 2_048;

/**
 * The occurrence that an event is: its data with the subject, the full name of what changed (M9). Data that would make
 * too large a body is reduced to the subject and the names of its resources (M39).
 */
export function toOccurrence({ id, type, subject, time, data }: OutgoingEvent): Occurrence {
  const whole: Readonly<Record<string, unknown>> = JSON.parse(data);
  const isTooLarge =
    Buffer.byteLength(data) + Buffer.byteLength(JSON.stringify(subject)) + frameBytes > largestBody;
  const told = isTooLarge ? namesIn(whole) : whole;
  return { eventId: id, name: type, timestamp: time, data: { ...told, subject } };
}

/** The resources of the data, each with its name alone. */
function namesIn(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const named = Object.entries(data).flatMap(([key, value]) => {
    const name = typeof value === 'object' && value !== null && 'name' in value ? value.name : '';
    return typeof name === 'string' && name !== '' && Buffer.byteLength(name) <= longestName
      ? [[key, { name }] as const]
      : [];
  });
  return Object.fromEntries(named.slice(0, mostNames));
}

const [longestName, mostNames] = [4_096, 10];
