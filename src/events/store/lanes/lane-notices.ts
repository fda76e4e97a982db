import type { Queries, Transaction } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';
import { inChunks } from '../rows.ts';

/** Wakes every process that delivers: there are lanes to claim, for any of them. */
export const lanesChannel = 'events.lanes';

/** Wakes one process that delivers; the detail names lanes, see `readLaneNotice`. */
export function lanesChannelOf(owner: string): string {
  return `${lanesChannel}.${owner}`;
}

/** The delivery worker of this process, as seen by code that appends to lanes. */
export type Deliverer = {
  /** The owner of its lanes; undefined while it claims no more. */
  owner: string | undefined;
};

/**
 * Lanes to which events were appended: `read` for lanes that a process holds, `claim` for free ones. `drop` for lanes that a
 * process holds and that nobody delivers any more.
 */
type LaneNotice = { readonly kind: 'read' | 'claim' | 'drop'; readonly lanes: readonly number[] };

/** A lane to which events were appended, and the process that holds it. */
export type AppendedLane = { readonly lane: number; readonly owner: string | null };

/**
 * Notifies only the process that is to deliver, once the transaction has committed. The holder of a lane reads on, and
 * a free lane is claimed by the process that appends (D4). If that process does not deliver or has no place, all
 * processes are notified.
 */
export function notifyLanes(
  tx: Transaction,
  lanes: readonly AppendedLane[],
  deliverer: Deliverer,
): void {
  for (const [owner, some] of Map.groupBy(lanes, (one) => one.owner)) {
    const told = owner ?? deliverer.owner;
    if (told === undefined) tx.notify(lanesChannel);
    else
      tell(tx, lanesChannelOf(told), {
        kind: owner === null ? 'claim' : 'read',
        lanes: some.map(({ lane }) => lane),
      });
  }
}

/** Lets the process that holds the lane stop after the call that is under way, once the transaction has committed. */
export function notifyDropped(tx: Transaction, { lane, owner }: AppendedLane): void {
  if (owner !== null) tell(tx, lanesChannelOf(owner), { kind: 'drop', lanes: [lane] });
}

function tell(tx: Transaction, channel: string, { kind, lanes }: LaneNotice): void {
  for (const some of inChunks(lanes)) tx.notify(channel, `${kind}:${some.join()}`);
}

/** Undefined for a wake without a notice, as after a lost connection. */
export function readLaneNotice(detail: string | undefined): LaneNotice | undefined {
  const [kind, lanes = ''] = (detail ?? '').split(':');
  if (kind !== 'read' && kind !== 'claim' && kind !== 'drop') return undefined;
  return { kind, lanes: lanes.split(',').map(Number) };
}

/** Wakes the readers of streams and topics that the detail names, see `streamKeysIn`. */
export const streamsChannel = 'events.streams';

/** A lane that is read rather than sent, and the topic it belongs to if it is not a stream by itself. */
type ReadLane = { readonly lane: number; readonly topic: string | null };

/** The key that the readers of a lane wait for: its topic, to which lanes may be added later, or the lane itself. */
export function streamKeyOf({ lane, topic }: ReadLane): string {
  return topic ?? String(lane);
}

/** Wakes the readers of these lanes, and no others, once the transaction has committed. */
export function notifyStreams(tx: Transaction, lanes: readonly ReadLane[]): void {
  const streams = lanes.filter(({ topic }) => topic === null);
  for (const some of inChunks(streams)) tx.notify(streamsChannel, some.map(streamKeyOf).join());
  for (const { topic } of lanes) if (topic !== null) tx.notify(streamsChannel, topic);
}

/** The keys that the detail of a notification names; undefined if any stream may have new events. */
export function streamKeysIn(detail: string | undefined): readonly string[] | undefined {
  if (!detail) return undefined;
  // The name of a topic has this prefix, and may hold commas.
  return detail.startsWith('projects/') ? [detail] : detail.split(',');
}

/** A lane and the process that delivers it. */
type Holder = { readonly lane: number; readonly owner: string };

/**
 * The process that delivers the lane of a subscription now; undefined if none does, in which case all progress is
 * written.
 */
export function findHolder(queries: Queries, subscriptionId: string): Promise<Holder | undefined> {
  return queries.first<Holder>(sql`
    SELECT lane, owner FROM events_lanes
    WHERE subscription_id = ${subscriptionId} AND owner IS NOT NULL`);
}

/** A request to write the progress of a lane, and where to say that it is written. */
type WriteRequest = { readonly lane: number; readonly reader: string; readonly id: string };

/** The channel on which a process is asked to write its progress. */
export function writeChannel(owner: string): string {
  return `events.write.${owner}`;
}

/** The channel on which a reader gets the ids of its fulfilled requests. */
export function writtenChannel(reader: string): string {
  return `events.written.${reader}`;
}

/** Asks the holder of a lane to write its progress. */
export function requestWrite(tx: Transaction, owner: string, request: WriteRequest): void {
  tx.notify(writeChannel(owner), JSON.stringify(request));
}

/** Undefined for a wake without a request, as after a lost connection. */
export function readWriteRequest(detail: string | undefined): WriteRequest | undefined {
  return detail ? JSON.parse(detail) : undefined;
}
