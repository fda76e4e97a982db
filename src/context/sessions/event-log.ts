import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Clock } from '../../kernel/wait/clock.ts';
import { createBoundedMap } from '../../kernel/wait/remembered.ts';
import { contextLimits } from '../limits.ts';
import type { HandedMessage } from '../store/session-store.ts';

type LoggedEvent = HandedMessage & { readonly streamId: string };

/** The position of an event: its number in the log of the process that made it, and its stream. */
export type EventPlace = {
  readonly order: number;
  readonly process: string;
  readonly streamId: string;
};

/** The last events of a session at one process. */
export type EventLog = EventStore & {
  /**
   * Calls back with the logged messages of the stream, and with each further one for {@link followMs}. Returns
   * whether this process knows the stream; it keeps nothing for an unknown one.
   */
  follow(streamId: string, callback: (message: HandedMessage) => void): boolean;
};

export type EventLogOptions = {
  /** The process that keeps the log. */
  readonly process: string;
  readonly clock: Clock;
  /** What a notification stream of another process gets when it resumes here. */
  missedNotifications(): Promise<readonly JSONRPCMessage[]>;
};

/** The name under which the library keeps the one stream of a session that answers no request. */
export const notificationStream = '_GET_stream';

/** Some minutes of changes, or two large quotes: enough for a connection that breaks and comes back. */
const mostCharacters = contextLimits.sessionLog.value;

/** A call takes a few seconds at most; a process that has not answered by then was stopped in the middle of it. */
export const followMs = 30_000;

type Follower = { readonly until: number; tell(message: HandedMessage): void };

/**
 * The last events of one session, so that a stream can be resumed where it broke (`Last-Event-ID`). After an event
 * that is already forgotten, it replays what is left of the stream; after an event of another process, what may
 * have been missed since.
 */
export function createEventLog(options: EventLogOptions): EventLog {
  const { process, clock, missedNotifications } = options;
  const events: LoggedEvent[] = [];
  /** The last streams, each with who follows it. */
  const streams = createBoundedMap<string, Follower | 'nobody'>(contextLimits.sessionStreams.value);
  let characters = 0;
  let order = 0;

  async function storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    order += 1;
    const event = { order, streamId, text: JSON.stringify(message) };
    // Whoever lost events asks for them with a cursor (M59).
    if ('method' in message && message.method.startsWith('notifications/events/')) {
      return writeEventId({ ...event, process });
    }
    events.push(event);
    characters += event.text.length;
    while (characters > mostCharacters && events.length > 1) {
      characters -= events.shift()?.text.length ?? 0;
    }
    const follower = streams.get(streamId) ?? 'nobody';
    const isFollowed = follower !== 'nobody' && clock.elapsed() <= follower.until;
    streams.set(streamId, isFollowed ? follower : 'nobody');
    if (isFollowed) follower.tell(event);
    return writeEventId({ ...event, process });
  }

  return {
    storeEvent,
    getStreamIdForEventId: async (id) => parseEventId(id)?.streamId,
    async replayEventsAfter(lastEventId, { send }) {
      const last = parseEventId(lastEventId) ?? { order: 0, process, streamId: '' };
      const { streamId } = last;
      if (last.process !== process) {
        for (const missed of await missedNotifications())
          await send(await storeEvent(streamId, missed), missed);
        return streamId;
      }
      const later = events.filter((one) => one.streamId === streamId && one.order > last.order);
      for (const event of later) {
        // It was written from a message by storeEvent above.
        const message = JSON.parse(event.text) as JSONRPCMessage;
        // The mark that a stream has begun is stored as an empty message, and is not sent again.
        if ('jsonrpc' in message) await send(writeEventId({ ...event, process }), message);
      }
      return streamId;
    },
    follow(streamId, callback) {
      if (streams.get(streamId) === undefined) return false;
      streams.set(streamId, { until: clock.elapsed() + followMs, tell: callback });
      for (const event of events) if (event.streamId === streamId) callback(event);
      return true;
    },
  };
}

export function writeEventId({ order, process, streamId }: EventPlace): string {
  return `${order}.${process}@${streamId}`;
}

/** As {@link writeEventId} writes it: nine random bytes name a process, and the library names streams by UUIDs. */
const eventId = /^(\d{1,15})\.([\w-]{12})@(_GET_stream|[\da-f-]{36})$/;

export function parseEventId(id: string): EventPlace | undefined {
  const [, order, process, streamId] = eventId.exec(id) ?? [];
  return order === undefined || process === undefined || streamId === undefined
    ? undefined
    : { order: Number(order), process, streamId };
}
