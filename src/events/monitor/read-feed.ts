import { linkSignals } from '../../kernel/wait/cancel.ts';
import { eventsLimits } from '../limits.ts';
import type { FeedHeads } from './feed-heads.ts';
import type { FeedItem, FeedKind, FeedPlace } from './feed-items.ts';
import { createFeedParts, type FeedSight } from './feed-parts.ts';

type FeedOptions = FeedSight & {
  readonly heads: FeedHeads;
  /** Fires when the feeds have to end. */
  readonly ended: AbortSignal;
  /** Where to resume; if left out, the feed begins with what is new from now on. */
  readonly place?: FeedPlace | undefined;
  readonly kinds: ReadonlySet<FeedKind>;
};

/** An item of the feed, with the place to resume from after it. */
type PlacedItem = { readonly place: FeedPlace; readonly item: FeedItem };

/** How often an idle feed checks whether it may go on. */
const longestWait = 3_600_000;
const furthestBack = eventsLimits.feedResumed.value;
/** How far back changes are repeated, in milliseconds: their place is a time, not a position. */
const furthestChange = 3_600_000;

/**
 * Yields what happens within the caller's reach, until the signal fires or the token ends (K13). Begins with `ready`,
 * or with `gap` if more was missed than is repeated. A feed is for watching: whoever must not miss an event needs a
 * subscription.
 */
export async function* readFeed(
  options: FeedOptions,
  cancelled: AbortSignal,
): AsyncGenerator<readonly PlacedItem[]> {
  const { context, heads, caller } = options;
  const { clock } = context;
  const reading = linkSignals(cancelled, options.ended);
  const { signal } = reading;
  const stopWaiting = caller.onRevoked?.(() => reading.abort());
  const watch = heads.watch();
  try {
    const newest = await heads.read();
    const { place, isGap } = beginAt(options.place, newest);
    const read = createReader(options, place);
    yield [{ place, item: { kind: isGap ? 'gap' : 'ready' } }];
    while (!signal.aborted && clock.now() < caller.expiresAt) {
      const items = await read();
      if (items.length > 0) {
        yield items;
        continue;
      }
      await watch.alarm.sleep(Math.min(longestWait, caller.expiresAt - clock.now()), signal);
    }
  } finally {
    stopWaiting?.();
    reading.release();
    watch.close();
  }
}

function beginAt(
  given: FeedPlace | undefined,
  newest: FeedPlace,
): { place: FeedPlace; isGap: boolean } {
  if (given === undefined) return { place: newest, isGap: false };
  const place = {
    event: Math.max(given.event, newest.event - furthestBack),
    attempt: Math.max(given.attempt, newest.attempt - furthestBack),
    change: Math.max(given.change, newest.change - furthestChange),
  };
  const isGap = (['event', 'attempt', 'change'] as const).some((key) => place[key] > given[key]);
  return { place, isGap };
}

/** Reads what is new since it was last asked, a bounded part at a time. */
function createReader(options: FeedOptions, begin: FeedPlace): () => Promise<PlacedItem[]> {
  const { heads, kinds } = options;
  const parts = createFeedParts(options, begin).filter(({ kind }) => kinds.has(kind));
  let place = begin;
  return async () => {
    const head = heads.latest() ?? begin;
    const placed: PlacedItem[] = [];
    for (const { key, read } of parts) {
      for (const { reached, items } of await read(head[key])) {
        const before = place;
        place = { ...place, [key]: reached };
        // A reader that is disconnected between items of one row gets all of them again.
        placed.push(
          ...items.map((item, n) => ({ place: n < items.length - 1 ? before : place, item })),
        );
      }
    }
    return placed;
  };
}
