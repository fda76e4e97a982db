import { linkSignals } from '../../kernel/wait/cancel.ts';
import { readers } from '../scopes.ts';
import { findSubscription } from '../store/subscription-store.ts';
import {
  cursorAt,
  type EventLease,
  ended,
  keepLease,
  leaseLength,
  type ReadOccurrence,
  readLease,
  takeLease,
} from './event-lease.ts';
import type { McpContext, McpRequest } from './mcp-context.ts';
import { type McpError, toMcpError } from './mcp-error.ts';
import { readParams, readWanted, requireOneScope } from './offered-events.ts';
import { readCursor, readWhole } from './open-subscription.ts';

/** What happens on a stream, in the order of its notifications (M55 to M58). */
export type StreamStep =
  | { readonly kind: 'active'; readonly cursor: string; readonly truncated: boolean }
  | ({ readonly kind: 'event' } & ReadOccurrence)
  | { readonly kind: 'heartbeat'; readonly cursor: string }
  /** The right is lost: nothing follows. */
  | { readonly kind: 'terminated'; readonly error: McpError };

/** Clients give up after a minute without a frame of data (M57). */
const heartbeatMs = 15_000;
const readAtOnce = 50;

/**
 * `events/stream`: checks the request and opens a lease, then returns its events as they come (M55 to M60). The steps end
 * without a last one when the signal fires or the process ends; the lease stays. Throws refusals as `toMcpError` tells them.
 */
export async function streamEvents(
  context: McpContext,
  { caller, params: given, signal }: McpRequest,
): Promise<AsyncGenerator<StreamStep>> {
  requireOneScope(caller, readers, 'events/stream');
  const params = readParams(given);
  const wanted = await readWanted(context, { caller, params });
  const cursor = readCursor(params.cursor);
  const maxAgeMs = readWhole('maxAgeMs', params.maxAgeMs);
  const lease = await takeLease(context, { caller, wanted, cursor, maxAgeMs }, signal);
  return followLease(context, lease, { caller, wanted, maxAgeMs, signal });
}

type Following = Parameters<typeof keepLease>[2] & {
  readonly maxAgeMs: number | undefined;
  readonly signal: AbortSignal;
};

async function* followLease(
  context: McpContext,
  lease: EventLease,
  { signal: cancelled, ...request }: Following,
): AsyncGenerator<StreamStep> {
  const { clock, wakes } = context;
  const { signal, release } = linkSignals(cancelled, wakes.ended);
  const watch = wakes.watch(lease.stream.key);
  const query = { caller: request.caller, limit: readAtOnce, maxAgeMs: request.maxAgeMs };
  let { after } = lease;
  let keptAt = clock.elapsed();
  try {
    const begun = await cursorAt(context, lease, after);
    yield { kind: 'active', cursor: begun, truncated: lease.isTruncated };
    while (!signal.aborted) {
      const reading = await readLease(context, { ...lease, after }, query);
      if (reading.isTruncated) {
        const cursor = await cursorAt(context, lease, after);
        yield { kind: 'active', cursor, truncated: true };
      }
      for (const found of reading.found) yield { kind: 'event', ...found };
      const isRead = reading.through > after;
      after = reading.through;
      watch.places.set(lease.stream.lane, after);
      if (isRead) continue;
      const error = await findEnding(context, lease);
      if (error !== undefined) {
        yield { kind: 'terminated', error };
        return;
      }
      if (clock.elapsed() - keptAt >= leaseLength(request.wanted) / 20) {
        const live = await findSubscription(context.database, lease.subscription.id);
        if (live !== undefined) await keepLease(context, live, request);
        keptAt = clock.elapsed();
      }
      const isTold = await watch.alarm.sleep(heartbeatMs, signal);
      if (isTold || signal.aborted) continue;
      yield { kind: 'heartbeat', cursor: await cursorAt(context, lease, after) };
    }
  } finally {
    release();
    watch.close();
  }
}

/** Why the subscription that is read is there no more; undefined while it is. */
async function findEnding(
  { database }: Pick<McpContext, 'database'>,
  { subscription }: EventLease,
): Promise<McpError | undefined> {
  const now = await findSubscription(database, subscription.id);
  if (now !== undefined && now.state !== 'DELETED') return undefined;
  return toMcpError(ended(now?.suspensionReason));
}
