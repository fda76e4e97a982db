import type { Occurrence } from '../delivery/to-occurrence.ts';
import { eventsLimits } from '../limits.ts';
import { readers } from '../scopes.ts';
import { findStream } from '../store/lanes/stream-store.ts';
import { cursorAt, readLease, takeLease } from './event-lease.ts';
import type { McpContext, McpRequest } from './mcp-context.ts';
import { readParams, readWanted, requireOneScope } from './offered-events.ts';
import { readCursor, readWhole } from './open-subscription.ts';

/** The answer to `events/poll`, always with all of its fields (M49). */
export type Polled = {
  readonly events: readonly Occurrence[];
  readonly cursor: string;
  readonly truncated: boolean;
  readonly hasMore: boolean;
  readonly nextPollMs: number;
};

const [defaultEvents, mostEvents] = [50, eventsLimits.mcpPolled.value];
const longestHold = 30_000;
/** When to ask again (M53): soon if there were events. */
const [soonMs, laterMs] = [1_000, 5_000];

/**
 * `events/poll`: the events after a cursor (M49 to M54). The first one opens a lease and has none. Reading takes nothing away: the
 * same cursor gives the same events until they are removed. Throws refusals as `toMcpError` tells them.
 */
export async function pollEvents(
  context: McpContext,
  { caller, params: given, signal }: McpRequest,
): Promise<Polled> {
  const { clock, wakes } = context;
  requireOneScope(caller, readers, 'events/poll');
  const params = readParams(given);
  const wanted = await readWanted(context, { caller, params });
  const cursor = readCursor(params.cursor);
  const maxAgeMs = readWhole('maxAgeMs', params.maxAgeMs);
  const bounds = { least: 1 };
  const limit = Math.min(
    readWhole('maxEvents', params.maxEvents, bounds) ?? defaultEvents,
    mostEvents,
  );
  const hold = Math.min(readWhole('timeoutMs', params.timeoutMs) ?? 0, longestHold);
  const lease = await takeLease(context, { caller, wanted, cursor, maxAgeMs }, signal);
  // Watches before it looks, so that an event in between is not missed.
  const watch = wakes.watch(lease.stream.key);
  const until = clock.elapsed() + hold;
  try {
    let { after } = lease;
    let isTruncated = lease.isTruncated;
    for (;;) {
      const reading = await readLease(context, { ...lease, after }, { caller, maxAgeMs, limit });
      const isRead = reading.through > after;
      after = reading.through;
      isTruncated ||= reading.isTruncated;
      if (reading.found.length === 0 && isRead) continue;
      const left = until - clock.elapsed();
      const isOver = left <= 0 || signal.aborted || wakes.ended.aborted;
      if (reading.found.length > 0 || isTruncated || isOver) {
        const now = await findStream(context.database, lease.subscription.id);
        return {
          events: reading.found.map(({ occurrence }) => occurrence),
          cursor: reading.found.at(-1)?.cursor ?? (await cursorAt(context, lease, after)),
          truncated: isTruncated,
          hasMore: (now?.lastNumber ?? 0) > after,
          nextPollMs: reading.found.length > 0 ? soonMs : laterMs,
        };
      }
      await watch.alarm.sleep(left, signal);
    }
  } finally {
    watch.close();
  }
}
