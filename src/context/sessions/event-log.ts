import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';
import { contextLimits } from '../limits.ts';

type LoggedEvent = { readonly order: number; readonly streamId: string; readonly text: string };

/** Some minutes of changes, or two large quotes: enough for a connection that breaks and comes back. */
const mostCharacters = contextLimits.sessionLog.value;

/**
 * The last events of one session, so that a stream can be resumed where it broke (`Last-Event-ID`).
 * An event's id names its place and its stream: after one that is forgotten already, whatever is left
 * of the stream follows.
 */
export function createEventLog(): EventStore {
  const events: LoggedEvent[] = [];
  let characters = 0;
  let order = 0;
  return {
    async storeEvent(streamId, message) {
      order += 1;
      const text = JSON.stringify(message);
      events.push({ order, streamId, text });
      characters += text.length;
      while (characters > mostCharacters && events.length > 1) {
        characters -= events.shift()?.text.length ?? 0;
      }
      return eventId({ order, streamId });
    },
    getStreamIdForEventId: async (id) => parseEventId(id)?.streamId,
    async replayEventsAfter(lastEventId, { send }) {
      const last = parseEventId(lastEventId) ?? { order: 0, streamId: '' };
      const later = events.filter(
        (one) => one.streamId === last.streamId && one.order > last.order,
      );
      for (const event of later) {
        // It was written from a message by storeEvent above.
        const message = JSON.parse(event.text) as JSONRPCMessage;
        // The mark that a stream has begun is stored as an empty message, and is not sent again.
        if ('jsonrpc' in message) await send(eventId(event), message);
      }
      return last.streamId;
    },
  };
}

function eventId({ order, streamId }: Pick<LoggedEvent, 'order' | 'streamId'>): string {
  return `${order}@${streamId}`;
}

function parseEventId(id: string): Pick<LoggedEvent, 'order' | 'streamId'> | undefined {
  const [, order, streamId] = /^(\d{1,15})@([\w-]+)$/.exec(id) ?? [];
  return order === undefined || streamId === undefined
    ? undefined
    : { order: Number(order), streamId };
}
