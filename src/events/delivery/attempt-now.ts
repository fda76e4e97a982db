import { countWaiting, findReplay } from '../store/lanes/delivery-log-store.ts';
import { notifyLanes } from '../store/lanes/lane-notices.ts';
import { makeDue } from '../store/lanes/lane-store.ts';
import type { ReplayOptions } from './replay-events.ts';

/**
 * Attempts now what would be retried later, for a person who mended an endpoint and does not want to wait (K3); answers
 * how many of the named events wait. They keep their order, so whatever waits before them goes with them.
 */
export async function attemptNow(
  { database, deliverer, clock }: ReplayOptions,
  { subscriptionId, eventIds }: { subscriptionId: string; eventIds: readonly string[] },
): Promise<number> {
  return database.transaction(async (tx) => {
    const from = await findReplay(tx, subscriptionId);
    if (from === undefined) return 0;
    const { lane, cursor } = from;
    const waiting = await countWaiting(tx, { lane, after: cursor, eventIds });
    if (waiting > 0 && (await makeDue(tx, lane, clock.now()))) {
      notifyLanes(tx, [{ lane, owner: null }], deliverer);
    }
    return waiting;
  });
}
