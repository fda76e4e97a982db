import type { Applications } from '../applications/create-applications.ts';
import { createSubscriptionStore } from '../store/subscription-store.ts';
import type { SubscriptionContext } from './subscription-context.ts';
import { suspendSubscription } from './suspend-subscription.ts';

const readAtOnce = 100;

/**
 * The applications, of which removing one suspends the subscriptions to its targets (E2.26): nothing
 * can be told of them any more, and their owners are to know.
 */
export function suspendWithApplications(
  applications: Applications,
  context: SubscriptionContext,
): Applications {
  async function suspendAll(eventTypes: readonly string[]): Promise<void> {
    const store = createSubscriptionStore(context.database);
    let after = '';
    for (;;) {
      const ids = await store.listOfTypes({ eventTypes, after, limit: readAtOnce });
      for (const id of ids) await suspendSubscription(context, { id, reason: 'RESOURCE_DELETED' });
      after = ids.at(-1) ?? '';
      if (ids.length < readAtOnce) return;
    }
  }

  return {
    ...applications,
    async remove(name) {
      const all = await applications.list();
      const removed = all.find((application) => application.name === name);
      await applications.remove(name);
      await suspendAll(removed?.targets.flatMap(({ eventTypes }) => eventTypes) ?? []);
    },
  };
}
