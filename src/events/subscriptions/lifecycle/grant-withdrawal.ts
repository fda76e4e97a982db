import { z } from 'zod';
import type { EventConsumer } from '../../../kernel/event-bus/event-bus.ts';
import { coversTypes } from '../../applications/require-scopes.ts';
import { principalOf } from '../../caller.ts';
import { listOwnSubscriptions } from '../../store/subscription-store.ts';
import type { SubscriptionContext } from '../subscription-context.ts';
import { suspendSubscription } from './suspend-subscription.ts';

/** Without an account it is the client itself that lost its rights. */
const payloadSchema = z.object({
  clientId: z.string(),
  accountId: z.string().optional(),
  isSignOut: z.boolean().optional(),
  stillHeld: z.array(z.string()).default([]),
});

const readAtOnce = 100;

/**
 * Suspends subscriptions that a client created for a person when the person revokes the grant or a token was stolen
 * (E2.25), and those that a client created for itself when the client is removed (E2.32). Subscriptions created since
 * then belong to a later grant and stay. So do those that another grant of the same person to the same client still
 * covers (K11), and all if the person only signs out of a page of this server.
 */
export function createGrantWithdrawal(context: SubscriptionContext): EventConsumer {
  const { catalogue } = context;
  const covers = async (held: readonly string[], eventTypes: readonly string[]) =>
    held.includes('subscriptions.write') && (await coversTypes({ catalogue, held, eventTypes }));
  return {
    name: 'events.grant-withdrawal',
    topics: [
      'authorization.grant-revoked',
      'authorization.reuse-detected',
      'authorization.client-removed',
    ],
    async handle({ payload, occurredAt }) {
      const { clientId, accountId, isSignOut, stillHeld } = payloadSchema.parse(payload);
      if (isSignOut) return;
      const isPerson = accountId !== undefined;
      const principal = principalOf({ clientId, subject: accountId ?? clientId, isPerson });
      const reason = isPerson ? 'USER_SCOPE_REVOKED' : 'APP_SCOPE_REVOKED';
      let after = '';
      for (;;) {
        const now = context.clock.now();
        const rows = await listOwnSubscriptions(context.database, {
          principal,
          after,
          now,
          limit: readAtOnce,
        });
        for (const { id, createdAt, eventTypes } of rows) {
          if (createdAt > occurredAt || (await covers(stillHeld, eventTypes))) continue;
          await suspendSubscription(context, { id, reason });
        }
        after = rows.at(-1)?.id ?? '';
        if (rows.length < readAtOnce) return;
      }
    },
  };
}
