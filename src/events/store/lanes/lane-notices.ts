import type { Transaction } from '../../../kernel/database/database.ts';
import { inChunks } from '../in-chunks.ts';

/** Wakes every process that delivers: there are lanes to claim, and none of them is meant more than the others. */
export const lanesChannel = 'events.lanes';

/** Wakes one process that delivers; the detail names lanes, see `readLaneNotice`. */
export function lanesChannelOf(owner: string): string {
  return `${lanesChannel}.${owner}`;
}

/** The delivering side of this process, as those see it who append to lanes. */
export type Deliverer = {
  /** Under which name it has its lanes; undefined while it takes no more. */
  owner: string | undefined;
};

/** Lanes to which something was appended: those in hand are to be read on, free ones to be claimed. */
export type LaneNotice = { readonly kind: 'read' | 'claim'; readonly lanes: readonly number[] };

/** A lane that got something, and the process that has it in hand. */
export type AppendedLane = { readonly lane: number; readonly owner: string | null };

/**
 * Tells the process that is to deliver, and no other, once the transaction has committed: who has a lane in hand
 * reads on, and what nobody has is claimed by the process that appends (D4). Where that delivers nothing, or has
 * no place, all are told.
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
