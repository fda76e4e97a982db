import type { Transaction } from '../../../kernel/database/database.ts';
import { inChunks } from '../in-chunks.ts';

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

/** Lanes to which events were appended: `read` for lanes that a process holds, `claim` for free ones. */
export type LaneNotice = { readonly kind: 'read' | 'claim'; readonly lanes: readonly number[] };

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

function tell(tx: Transaction, channel: string, { kind, lanes }: LaneNotice): void {
  for (const some of inChunks(lanes)) tx.notify(channel, `${kind}:${some.join()}`);
}

/** Undefined for a wake without a notice, as after a lost connection. */
export function readLaneNotice(detail: string | undefined): LaneNotice | undefined {
  const [kind, lanes = ''] = (detail ?? '').split(':');
  if (kind !== 'read' && kind !== 'claim') return undefined;
  return { kind, lanes: lanes.split(',').map(Number) };
}
