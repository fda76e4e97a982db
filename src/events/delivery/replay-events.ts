import type { Database } from '../../kernel/database/database.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { EventsError } from '../errors/events-error.ts';
import { subscriptionName } from '../model/subscription-name.ts';
import { findReplay, type ReplayQuery, takeRepeated } from '../store/lanes/delivery-log-store.ts';
import type { Deliverer } from '../store/lanes/lane-notices.ts';
import { appendToLanes } from '../store/queue/queue-store.ts';
import type { CatchUp } from './progress/written-progress.ts';

export type ReplayOptions = {
  readonly database: Database;
  readonly catchUp: CatchUp;
  readonly deliverer: Deliverer;
  readonly clock: Clock;
};

/**
 * Sends events of a subscription again, with their ids, after those that wait (E14.36). Returns how many. Leaves out
 * events that are still being delivered, and lifecycle events. Works in small transactions, so a failure leaves the
 * first part replayed. Throws `FAILED_PRECONDITION` if the subscription is suspended (E14.37).
 */
export async function replayEvents(
  { database, catchUp, deliverer, clock }: ReplayOptions,
  query: ReplayQuery,
): Promise<number> {
  // What a receiver has accepted by now is replayed too (D8).
  await catchUp(query.subscriptionId);
  const from = await findReplay(database, query.subscriptionId);
  if (from === undefined) throw suspended(query.subscriptionId);
  const { lane, cursor: through } = from;
  let replayed = 0;
  for (let after = 0; ; ) {
    const repeated = await database.transaction(async (tx) => {
      const found = await takeRepeated(tx, { query, lane, after, through });
      const entries = found.map(({ number, ...entry }) => ({ ...entry, replayOf: number }));
      if (found.length > 0) {
        await appendToLanes(tx, new Map([[lane, entries]]), { now: clock.now(), deliverer });
      }
      return found;
    });
    const last = repeated.at(-1);
    if (last === undefined) return replayed;
    replayed += repeated.length;
    after = last.number;
  }
}

function suspended(subscriptionId: string): EventsError {
  const name = subscriptionName(subscriptionId);
  const description = `${name} is suspended, so nothing can be sent: reactivate it, then replay.`;
  return new EventsError('FAILED_PRECONDITION', description, {
    reason: 'SUBSCRIPTION_SUSPENDED',
    metadata: { name },
    preconditionViolations: [{ type: 'STATE', subject: name, description }],
  });
}
