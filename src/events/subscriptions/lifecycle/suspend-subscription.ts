import { z } from 'zod';
import type { Transaction } from '../../../kernel/database/database.ts';
import type { EventConsumer } from '../../../kernel/work/event-bus.ts';
import { coversTypes } from '../../applications/require-scopes.ts';
import type { EventVisibility } from '../../model/caller.ts';
import { EventsError } from '../../model/events-error.ts';
import type { Subscription, SubscriptionId, SuspensionReason } from '../../model/subscription.ts';
import {
  findSubscription,
  listSubscriptionsOfAuthority,
  listSubscriptionsOfTypes,
} from '../../store/subscription-store.ts';
import { scopesFor } from '../require-authority.ts';
import type { SubscriptionContext } from '../subscription-context.ts';
import { applyTransition } from './apply-transition.ts';

/** What ends a subscription of an MCP client, which would not learn of a suspension (M45, M67). */
const endings: readonly SuspensionReason[] = [
  'USER_SCOPE_REVOKED',
  'APP_SCOPE_REVOKED',
  'USER_AUTHORIZATION_FAILURE',
  'APP_AUTHORIZATION_FAILURE',
  'RESOURCE_DELETED',
];

/**
 * Suspends a subscription for an error of its endpoint, target or permission (E5.3). A suspended one keeps its first
 * reason (E5.4), and an ended one stays ended. Returns whether it was suspended now.
 */
export async function suspendSubscription(
  context: Pick<SubscriptionContext, 'database' | 'clock' | 'queues' | 'sourceHost'>,
  {
    id,
    reason,
    also,
  }: {
    readonly id: SubscriptionId;
    readonly reason: SuspensionReason;
    /** Further writes in the transaction of the suspension, if there is one. */
    also?(tx: Transaction): Promise<void>;
  },
): Promise<boolean> {
  for (;;) {
    const subscription = await findSubscription(context.database, id);
    if (subscription === undefined) return false;
    try {
      const isOver = endings.includes(reason) && subscription.mcp !== undefined;
      const trigger = { kind: isOver ? 'terminate' : 'suspend', reason } as const;
      const change = { subscription, trigger, ...(also && { also }) };
      return (await applyTransition(context, change)).next !== undefined;
    } catch (error) {
      // The subscription was changed meanwhile: reads it again to see whether it can still be suspended.
      if (!(error instanceof EventsError && error.code === 'ABORTED')) throw error;
    }
  }
}

const idsReadAtOnce = 100;

/**
 * Suspends the subscriptions to one of these event types, because their targets no longer exist (E2.26): they can get
 * no more events, and their owners should know.
 */
export async function suspendAllOfTypes(
  context: Pick<SubscriptionContext, 'database' | 'clock' | 'queues' | 'sourceHost'>,
  eventTypes: readonly string[],
): Promise<void> {
  for (let after = ''; ; ) {
    const ids = await listSubscriptionsOfTypes(context.database, {
      eventTypes,
      after,
      limit: idsReadAtOnce,
    });
    for (const id of ids) await suspendSubscription(context, { id, reason: 'RESOURCE_DELETED' });
    if (ids.length < idsReadAtOnce) return;
    after = ids.at(-1) ?? '';
  }
}

/**
 * Whose rights changed: those of a client for one person, of a client for whomever it acts, or of a person at whatever
 * client. `stillHeld` is the most that is left of them.
 */
const payloadSchema = z.object({
  clientId: z.string().optional(),
  accountId: z.string().optional(),
  isSignOut: z.boolean().optional(),
  stillHeld: z.array(z.string()).default([]),
});

const readAtOnce = 100;

/**
 * Suspends subscriptions whose person or client lost what they need: when a person revokes a grant or a token was
 * stolen (E2.25), when a person is removed or no longer an admin, and when a client is removed or narrowed (E2.32). No
 * grant need be left of the person (F49). Those that another grant of the same person to the same client still covers
 * stay (K11), and all if the person only signs out of a page of this server. Those created since then stay if the rights
 * that are stored by now cover them.
 *
 * With the visibility `own`, whoever saw the events of every account and is no longer an admin is suspended too, and
 * sees those of its own account alone once it is reactivated (F51).
 */
export function createGrantWithdrawal(
  context: SubscriptionContext & { readonly visibility: EventVisibility },
): EventConsumer {
  const { database, clock, catalogue, queues, visibility, heldScopes } = context;
  const covers = async (held: readonly string[], subscription: Subscription) => {
    const { eventTypes, targetResource } = subscription;
    return (
      scopesFor(subscription).some((scope) => held.includes(scope)) &&
      (await coversTypes({ catalogue, held, eventTypes, targetResource }))
    );
  };

  /** What the authority of a subscription holds after the change. Undefined if the change does not concern it. */
  async function heldFor(
    { clientId, userId: accountId, createdAt }: Subscription,
    { occurredAt, stillHeld }: { occurredAt: number; stillHeld: readonly string[] },
  ): Promise<readonly string[] | undefined> {
    const isLater = createdAt > occurredAt;
    // The rights of a client for itself never expire, so what is stored is what it holds.
    if (!isLater && (accountId !== undefined || heldScopes === undefined)) return stillHeld;
    return heldScopes?.(database, { clientId, accountId });
  }

  async function settle(subscription: Subscription, held: readonly string[]): Promise<void> {
    const { id, userId } = subscription;
    const seesTooMuch = !held.includes('admin') && (await queues.seesAll(database, id));
    const isCovered = await covers(held, subscription);
    if (isCovered && !seesTooMuch) return;
    if (!isCovered || visibility === 'own') {
      const reason = userId === undefined ? 'APP_SCOPE_REVOKED' : 'USER_SCOPE_REVOKED';
      const also = async (tx: Parameters<typeof queues.narrow>[0]) => {
        if (seesTooMuch) await queues.narrow(tx, id);
      };
      if (await suspendSubscription(context, { id, reason, also })) return;
    }
    if (seesTooMuch) await database.transaction((tx) => queues.narrow(tx, id));
  }

  return {
    name: 'events.grant-withdrawal',
    topics: [
      'authorization.grant-revoked',
      'authorization.reuse-detected',
      'authorization.client-removed',
      'authorization.client-narrowed',
      'authorization.person-changed',
    ],
    async handle({ payload, occurredAt }) {
      const { clientId, accountId, isSignOut, stillHeld } = payloadSchema.parse(payload);
      if (isSignOut) return;
      let after = '';
      for (;;) {
        const rows = await listSubscriptionsOfAuthority(database, {
          clientId,
          userId: accountId,
          after,
          now: clock.now(),
          limit: readAtOnce,
        });
        for (const subscription of rows) {
          const held = await heldFor(subscription, { occurredAt, stillHeld });
          if (held !== undefined) await settle(subscription, held);
        }
        after = rows.at(-1)?.id ?? '';
        if (rows.length < readAtOnce) return;
      }
    },
  };
}
