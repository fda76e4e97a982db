import { onBehalfOfAll } from '../../../kernel/cancel/presence.ts';
import { type Alarm, createAlarm } from '../../../kernel/lifecycle/alarm.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import type { FeedPlace } from './feed-place.ts';

/** Notifies the feeds of a process that there may be something new. */
export type FeedHeads = {
  /** Where the feed stands now. */
  read(): Promise<FeedPlace>;
  /** Where it stood at the last look for all feeds; undefined before the first. */
  latest(): FeedPlace | undefined;
  /** Rings whenever something is new, until it is closed. */
  watch(): { readonly alarm: Alarm; close(): void };
};

/**
 * Between two looks. A feed shows what happened within a second: what was tried is written down within a
 * quarter of one, and the rest is for the answer (K13).
 */
const pauseBetweenLooks = 250;
/**
 * One look for all feeds of the process, and none while there is no feed: whoever delivers and publishes
 * pays nothing for those who watch.
 */
export function createFeedHeads(options: {
  readonly clock: Clock;
  /**
   * What others had begun before may be committed after what is newest, where rows are numbered when they are
   * made: for so long after the last change readers look again.
   */
  readonly settlingFor: number;
  read(): Promise<FeedPlace>;
  onFailure(error: unknown): void;
}): FeedHeads {
  const { clock, settlingFor, read, onFailure } = options;
  const alarms = new Set<Alarm>();
  let isLooking = false;
  let known: FeedPlace | undefined;

  const look = async (): Promise<void> => {
    isLooking = true;
    let changedAt = clock.elapsed();
    while (alarms.size > 0) {
      try {
        const heads = await read();
        const isNew = isOther(heads, known);
        known = heads;
        if (isNew) changedAt = clock.elapsed();
        if (isNew || clock.elapsed() - changedAt < settlingFor)
          for (const one of alarms) one.ring();
      } catch (error) {
        onFailure(error);
      }
      await clock.sleep(pauseBetweenLooks);
    }
    isLooking = false;
  };

  return {
    read,
    latest: () => known,
    watch() {
      const alarm = createAlarm(clock);
      alarms.add(alarm);
      // For all who watch, though one of them begins it.
      if (!isLooking) void onBehalfOfAll(look);
      return { alarm, close: () => void alarms.delete(alarm) };
    },
  };
}

function isOther(heads: FeedPlace, known: FeedPlace | undefined): boolean {
  return (
    heads.event !== known?.event || heads.attempt !== known.attempt || heads.change !== known.change
  );
}
