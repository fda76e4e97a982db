import type { QueuedEvent } from '../../model/queued-event.ts';

/** About how many bytes of data a reader of a queue holds in memory. */
const bytesRead = 128 * 1024;

/** How many events to read next, by the size of those that were read last. */
export function nextLimit(
  events: readonly Pick<QueuedEvent, 'data'>[],
  { fewest, most }: { readonly fewest: number; readonly most: number },
): number {
  const bytes = events.reduce((sum, { data }) => sum + data.length, 0);
  const fitting = Math.floor((bytesRead * events.length) / Math.max(bytes, 1));
  return Math.min(Math.max(fitting, fewest), most);
}
