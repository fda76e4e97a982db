import type { Subscription, SuspensionReason } from '../../model/subscription.ts';

/** What can happen to a subscription. */
export type Trigger =
  | {
      readonly kind: 'patch';
      readonly eventTypes?: readonly string[];
      readonly expiresAt?: number;
    }
  | { readonly kind: 'suspend'; readonly reason: SuspensionReason }
  | { readonly kind: 'reactivate' }
  /** An MCP client asks again: renews and reactivates (M22). */
  | { readonly kind: 'refresh'; readonly expiresAt: number }
  /** The right to it, or what it is about, is gone (M45). */
  | { readonly kind: 'terminate'; readonly reason: SuspensionReason }
  /** The MCP client wants no more (M47). */
  | { readonly kind: 'unsubscribe' }
  | { readonly kind: 'delete' }
  | { readonly kind: 'expire' };

export type Transition =
  | { readonly next: Subscription; readonly refusal?: undefined }
  | {
      /** `GONE`: deleted or expired. `UNCHANGED`: it stays as it is, which is no error. */
      readonly refusal: 'GONE' | 'NOT_SUSPENDED' | 'NOT_DUE' | 'UNCHANGED';
      readonly next?: undefined;
    };

/**
 * The next version of a subscription (E5.1-E5.8), with a new revision and update time. From its
 * expiry on it counts as gone for every trigger but `expire`, which is refused before. Does not
 * check the values of a patch.
 */
export function transition(
  subscription: Subscription,
  { trigger, now }: { readonly trigger: Trigger; readonly now: number },
): Transition {
  const { state, expiresAt, revision } = subscription;
  if (state === 'DELETED') return { refusal: 'GONE' };
  const isOver = now >= expiresAt;
  if (trigger.kind === 'expire') return isOver ? end() : { refusal: 'NOT_DUE' };
  if (isOver) return { refusal: 'GONE' };

  switch (trigger.kind) {
    case 'patch': {
      const { eventTypes, expiresAt: renewedTo } = trigger;
      if (eventTypes === undefined && renewedTo === undefined) return { refusal: 'UNCHANGED' };
      return change({
        ...(eventTypes === undefined ? {} : { eventTypes }),
        ...(renewedTo === undefined ? {} : { expiresAt: renewedTo }),
      });
    }
    case 'suspend':
      // The first error stays the reason, whatever follows (E2.15, E5.4).
      if (state === 'SUSPENDED') return { refusal: 'UNCHANGED' };
      return change({ state: 'SUSPENDED', suspensionReason: trigger.reason });
    case 'reactivate':
      if (state === 'ACTIVE') return { refusal: 'NOT_SUSPENDED' };
      return change({ state: 'ACTIVE', suspensionReason: undefined });
    case 'refresh':
      return change({ state: 'ACTIVE', suspensionReason: undefined, expiresAt: trigger.expiresAt });
    case 'terminate':
      return change({ state: 'DELETED', suspensionReason: trigger.reason });
    case 'unsubscribe':
    case 'delete':
      return end();
  }

  function change(changes: Partial<Subscription>): Transition {
    return { next: { ...subscription, ...changes, updatedAt: now, revision: revision + 1 } };
  }

  function end(): Transition {
    return change({ state: 'DELETED', suspensionReason: undefined });
  }
}
