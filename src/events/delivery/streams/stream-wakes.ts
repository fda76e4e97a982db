import type { Database, Queries } from '../../../kernel/database/database.ts';
import { patienceWithWorker, type Worker } from '../../../kernel/process/worker.ts';
import { type Alarm, createAlarm } from '../../../kernel/wait/alarm.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { createBoundedMap } from '../../../kernel/wait/remembered.ts';
import { shareNext } from '../../../kernel/wait/shared-work.ts';
import { eventsLimits } from '../../limits.ts';
import { streamKeysIn, streamsChannel } from '../../store/lanes/lane-notices.ts';
import { findTopic, readLastNumbers, type StreamLane } from '../../store/lanes/stream-store.ts';

/** Notifies a reader of a stream in this process that there are new events for it. */
type StreamWatch = {
  readonly alarm: Alarm;
  /** The number up to which the reader has read each of its lanes; the reader updates it. */
  readonly places: Map<number, number>;
  close(): void;
};

/** Notifies the readers of streams in this process that have new events, and no others. */
export type StreamWakes = {
  /** Watches a stream or topic by its key, see `streamKeyOf`, until it is closed. */
  watch(key: string): StreamWatch;
  /** Listens while it runs; when it ends, so do the streams. */
  readonly worker: Worker;
  /** Fires when the streams have to end. */
  readonly ended: AbortSignal;
  /**
   * Ends the streams before the worker ends, so that the shutdown does not wait for their readers.
   */
  end(): void;
};

type StreamWakesOptions = {
  readonly database: Database;
  readonly clock: Clock;
  onFailure?(error: unknown): void;
};

/** Milliseconds between two wakes of the readers, however much is published. */
const pauseBetweenWakes = 10;
/**
 * Milliseconds between two looks for all readers together, which make up for lost notifications.
 */
const pauseBetweenLooks = 15_000;

export function createStreamWakes(options: StreamWakesOptions): StreamWakes {
  const { database, clock, onFailure = () => {} } = options;
  const watches = new Map<string, Set<StreamWatch>>();
  const told = createAlarm(clock);
  let isAllTold = false;
  let toldKeys = new Set<string>();
  const ending = new AbortController();

  const onNotice = (detail?: string): void => {
    const keys = streamKeysIn(detail)?.filter((key) => watches.has(key));
    if (keys?.length === 0) return;
    isAllTold ||= keys === undefined;
    for (const key of keys ?? []) toldKeys.add(key);
    told.ring();
  };

  const wakeTold = (): void => {
    for (const key of isAllTold ? watches.keys() : toldKeys) {
      for (const { alarm } of watches.get(key) ?? []) alarm.ring();
    }
    isAllTold = false;
    toldKeys = new Set();
  };

  const wakeWhoIsBehind = async (): Promise<void> => {
    const all = [...watches.values()].flatMap((some) => [...some]);
    const lanes = new Set(all.flatMap(({ places }) => [...places.keys()]));
    const lastNumbers = await readLastNumbers(database, [...lanes]);
    for (const { alarm, places } of all) {
      const isBehind = [...places].some(([lane, place]) => (lastNumbers.get(lane) ?? 0) > place);
      if (isBehind) alarm.ring();
    }
  };

  return {
    watch(key) {
      const watch = {
        alarm: createAlarm(clock),
        places: new Map<number, number>(),
        close() {
          const others = watches.get(key);
          others?.delete(watch);
          if (others?.size === 0) watches.delete(key);
        },
      };
      watches.set(key, (watches.get(key) ?? new Set()).add(watch));
      return watch;
    },
    ended: ending.signal,
    end: () => ending.abort(),
    worker: {
      name: 'events-streams',
      movesWithin: patienceWithWorker,
      async run(signal, move = () => {}) {
        const unlisten = await database.listen(streamsChannel, onNotice);
        let lookAt = clock.elapsed() + pauseBetweenLooks;
        while (!signal.aborted) {
          move();
          const isTold = await told.sleep(lookAt - clock.elapsed(), signal);
          if (isTold) wakeTold();
          if (clock.elapsed() >= lookAt) {
            await wakeWhoIsBehind().catch(onFailure);
            lookAt = clock.elapsed() + pauseBetweenLooks;
          }
          if (isTold) await clock.sleep(pauseBetweenWakes, signal);
        }
        ending.abort();
        await unlisten();
      },
    },
  };
}

/** The lanes of a principal's topic as they are now. */
export type FindTopicLanes = (topic: string, principal: string) => Promise<readonly StreamLane[]>;

/** As many as there can be streams. If a topic is dropped from the map, its readers read it separately for a moment. */
const topicsKept = eventsLimits.allStreams.value;

/** Reads the lanes of a topic, of which there may be thousands, once for all readers that a wake notifies. */
export function shareTopics(database: Queries): FindTopicLanes {
  const reads = createBoundedMap<string, () => Promise<readonly StreamLane[]>>(topicsKept);
  return (topic, principal) => {
    const key = `${principal}\n${topic}`;
    const read = reads.get(key) ?? shareNext(() => findTopic(database, topic, principal));
    reads.set(key, read);
    return read();
  };
}
