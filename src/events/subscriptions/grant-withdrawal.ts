import { z } from 'zod';
import type { EventConsumer } from '../../kernel/event-bus/event-bus.ts';
import { principalOf } from '../caller.ts';
import { createSubscriptionStore } from '../store/subscription-store.ts';
import type { SubscriptionContext } from './subscription-context.ts';
import { suspendSubscription } from './suspend-subscription.ts';

const payloadSchema = z.object({ clientId: z.string(), accountId: z.string() });

const readAtOnce = 100;

/**
 * Suspends what a person allowed a client when the person withdraws it (E2.25). Subscriptions that
 * were made since stand on a later grant and are left alone.
 */
export function createGrantWithdrawal(context: SubscriptionContext): EventConsumer {
  return {
    name: 'events.grant-withdrawal',
    topics: ['authorization.grant-revoked'],
    async handle({ payload, occurredAt }) {
      const { clientId, accountId } = payloadSchema.parse(payload);
      const principal = principalOf({ clientId, subject: accountId, isPerson: true });
      const store = createSubscriptionStore(context.database);
      let after = '';
      for (;;) {
        const now = context.clock.now();
        const rows = await store.list({ principal, after, now, limit: readAtOnce });
        for (const { id, createdAt } of rows) {
          if (createdAt > occurredAt) continue;
          await suspendSubscription(context, { id, reason: 'USER_SCOPE_REVOKED' });
        }
        after = rows.at(-1)?.id ?? '';
        if (rows.length < readAtOnce) return;
      }
    },
  };
}
