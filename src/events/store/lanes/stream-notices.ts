import type { Transaction } from '../../../kernel/database/database.ts';
import { inChunks } from '../in-chunks.ts';

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
