import type { Database } from '../../../kernel/database/database.ts';
import { linkSignals } from '../../../kernel/wait/cancel.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import type { InTurn } from '../../../kernel/wait/turns.ts';
import { type EventsCaller, type EventVisibility, isAdmin, sightInto } from '../../model/caller.ts';
import type { PayloadOptions } from '../../model/subscription.ts';
import { settleNotice } from '../../store/lanes/lane-store.ts';
import {
  advanceStream,
  readPayload,
  readStreamEvents,
  type StreamEvent,
  type StreamLane,
} from '../../store/lanes/stream-store.ts';
import { nextLimit } from '../delivery-queues.ts';
import type { StreamWakes } from './stream-wakes.ts';

/** An event of a stream, with the place to resume from after it. */
export type StreamedEvent = {
  readonly lane: StreamLane;
  readonly event: StreamEvent;
  readonly payload: PayloadOptions | undefined;
  /** Where to resume after it, as `placeOf` writes it; undefined if the stream gives no places. */
  readonly place: string | undefined;
};

export type StreamReaderOptions = {
  readonly database: Database;
  readonly wakes: StreamWakes;
  /** What the stream is woken by, see `streamKeyOf`. */
  readonly key: string;
  readonly clock: Clock;
  readonly inTurn: InTurn;
  /** The lanes of the stream as they are now; none when it has ended. */
  findLanes(): Promise<readonly StreamLane[]>;
  /** Where to resume, by lane; one that joins later begins with its unread events. */
  readonly places: ReadonlyMap<number, number>;
  /** Writes where a reader is in the lanes of the stream. */
  placeOf(lanes: readonly StreamLane[], places: ReadonlyMap<number, number>): string | undefined;
  /** Who reads: a stream ends when its token expires or is revoked. Only an admin sees the events of other accounts. */
  readonly caller: Pick<EventsCaller, 'expiresAt' | 'onRevoked' | 'scope'>;
  readonly visibility: EventVisibility;
};

const [fewestRead, mostRead] = [4, 100];
/** How often an idle stream checks whether it may go on. */
const longestWait = 3_600_000;

/**
 * Reads one or several lanes in order until the signal fires, and waits for more events in between. Yielded events
 * count as delivered once the next ones are requested. Ends when the last lane has ended, or when the caller's token is
 * no longer valid.
 */
export async function* readStream(
  options: StreamReaderOptions,
  cancelled: AbortSignal,
): AsyncGenerator<readonly StreamedEvent[]> {
  const { database, clock, wakes, findLanes, placeOf, inTurn, caller, visibility } = options;
  const until = caller.expiresAt;
  const reading = linkSignals(cancelled, wakes.ended);
  const { signal } = reading;
  const stopWaiting = caller.onRevoked?.(() => reading.abort());
  const places = new Map(options.places);
  let limit = fewestRead;
  const watch = wakes.watch(options.key);
  try {
    while (!signal.aborted && clock.now() < until) {
      const lanes = await findLanes();
      if (lanes.length === 0) return;
      let isMore = false;
      // Sets the places of all lanes first, so that the place of an event covers every lane; there may be thousands.
      const fresh = await inTurn(() =>
        lanes.filter(({ lane, cursor, lastNumber }) => {
          const place = places.get(lane) ?? cursor;
          places.set(lane, place);
          watch.places.set(lane, place);
          return place < lastNumber;
        }),
      );
      for (const lane of fresh) {
        const after = places.get(lane.lane) ?? lane.cursor;
        const events = await readStreamEvents(database, lane.lane, { after, limit });
        if (events.length === 0) continue;
        watch.places.set(lane.lane, events.at(-1)?.number ?? after);
        isMore ||= events.length === limit;
        limit = nextLimit(events, { fewest: fewestRead, most: mostRead });
        const payload = await readPayload(database, lane.lane);
        const at = clock.now();
        const sees = sightInto(lane, { visibility, isAdmin: isAdmin(caller) });
        yield events.flatMap((event) => {
          places.set(lane.lane, event.number);
          return sees(event.publisher)
            ? [{ lane, event, payload, place: placeOf(lanes, places) }]
            : [];
        });
        await settle(lane, { events, at }, options);
      }
      if (isMore) continue;
      if (lanes.every(({ isEnding }) => isEnding)) return;
      const wait = () => watch.alarm.sleep(Math.min(longestWait, until - clock.now()), signal);
      while (!(await wait()) && !signal.aborted && clock.now() < until);
    }
  } finally {
    stopWaiting?.();
    reading.release();
    watch.close();
  }
}

async function settle(
  { lane, isSuspended }: StreamLane,
  { events, at }: { readonly events: readonly StreamEvent[]; readonly at: number },
  { database, clock }: StreamReaderOptions,
): Promise<void> {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return;
  const durationMs = clock.now() - at;
  await advanceStream(database, lane, { first: first.number, last: last.number, at, durationMs });
  if (!isSuspended) return;
  for (const { number, isNotice } of events) {
    if (isNotice) await settleNotice(database, { lane, number });
  }
}
