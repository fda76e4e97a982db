import { type Alarm, createAlarm } from '../../kernel/wait/alarm.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { onBehalfOfAll } from '../../kernel/wait/presence.ts';
import type { FeedPlace } from './feed-items.ts';

/** Notifies the feeds of a process that there may be something new. */
export type FeedHeads = {
  /** The newest place now. */
  read(): Promise<FeedPlace>;
  /** The newest place at the last look for all feeds; undefined before the first look. */
  latest(): FeedPlace | undefined;
  /** Returns an alarm that rings whenever something is new, until it is closed. */
  watch(): { readonly alarm: Alarm; close(): void };
};

/**
 * Milliseconds between two looks. A feed shows within a second what happened (K13): attempts are written within a
 * quarter of that, and the rest is left for the answer.
 */
const pauseBetweenLooks = 250;
/**
 * Looks once for all feeds of the process, and not at all while there is no feed, so that feeds cost nothing to
 * delivery and publishing.
 */
export function createFeedHeads(options: {
  readonly clock: Clock;
  /**
   * For how many milliseconds after the last change readers look again. If rows get their numbers before they are
   * committed, rows with lower numbers may still appear.
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
      // Runs for all feeds, although one of them starts it.
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
