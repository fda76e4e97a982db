import { countWaiting, findReplay } from '../../store/lanes/delivery-log-store.ts';
import { notifyLanes } from '../../store/lanes/lane-notices.ts';
import { makeDue } from '../../store/lanes/lane-store.ts';
import type { ReplayOptions } from './replay-events.ts';

/**
 * Retries events now instead of later, for a person who fixed an endpoint and does not want to wait (K3). Returns
 * how many of the named events wait. Events keep their order, so those that wait before them are sent too.
 */
export async function attemptNow(
  { database, deliverer, clock }: ReplayOptions,
  { subscriptionId, eventIds }: { subscriptionId: string; eventIds: readonly string[] },
): Promise<number> {
  return database.transaction(async (tx) => {
    const from = await findReplay(tx, subscriptionId);
    if (from === undefined) return 0;
    const { lane } = from;
    const waiting = await countWaiting(tx, from, eventIds);
    if (waiting > 0 && (await makeDue(tx, lane, clock.now()))) {
      notifyLanes(tx, [{ lane, owner: null }], deliverer);
    }
    return waiting;
  });
}
