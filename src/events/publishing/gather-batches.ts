import { createHash } from 'node:crypto';
import type { NewEvent } from '../model/event.ts';
import { eventKey } from '../store/queue/queue-store.ts';

/** If a publication has at least this many events of one type for a subscription, they are sent as batch events. */
export const fewestInBatch = 100;
/** A batch event is no larger than any other (E6.16); a quarter is left for its frame. */
const largestData = 192 * 1024;
const mostInBatch = 500;

export type BatchRequest = {
  /** Events of one type, for one target, in order. */
  readonly events: readonly NewEvent[];
  readonly batchType: string;
  readonly target: string;
};

/**
 * The batch events that replace many events of one type (E10.7): their data in a list under the plural of the
 * resource's name, on their common target. This server is their publisher. Their ids are derived from the events, so
 * that the same publication makes the same batches.
 */
export function gatherBatches({ events, batchType, target }: BatchRequest): NewEvent[] {
  const batches: NewEvent[] = [];
  let gathered: NewEvent[] = [];
  let size = 0;
  const close = () => {
    if (gathered.length > 0) batches.push(toBatch(gathered, { batchType, target }));
    [gathered, size] = [[], 0];
  };
  for (const event of events) {
    const length = Buffer.byteLength(JSON.stringify(event.data));
    if (gathered.length === mostInBatch || size + length > largestData) close();
    gathered.push(event);
    size += length;
  }
  close();
  return batches;
}

function toBatch(
  events: readonly NewEvent[],
  { batchType, target }: Pick<BatchRequest, 'batchType' | 'target'>,
): NewEvent {
  const hash = createHash('sha256').update(`${batchType}\n${target}`);
  for (const event of events) hash.update(`\n${eventKey(event)}`);
  const [first, last] = [events[0], events.at(-1)];
  const [resource = 'resource'] = Object.keys(first?.data ?? {});
  return {
    id: `batch-${hash.digest('base64url').slice(0, 22)}`,
    source: first?.source ?? '',
    type: batchType,
    subject: target,
    occurredAt: last?.occurredAt ?? 0,
    data: { [`${resource}s`]: events.map(({ data }) => data) },
  };
}
