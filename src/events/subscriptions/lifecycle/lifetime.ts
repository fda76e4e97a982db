import type { Transaction } from '../../../kernel/database/database.ts';
import { scheduleWork } from '../../../kernel/work/work.ts';
import type { FieldViolation } from '../../model/events-error.ts';
import { formatDuration, formatTimestamp } from '../../model/proto-fields.ts';
import type { PayloadOptions, Subscription } from '../../model/subscription.ts';

const hour = 3_600_000;

/** A lifetime below this is refused (E6.12). */
const shortestLifetime = 60_000;

/** The longest lifetime (E6.1, E6.2): 7 days, or 4 hours where events carry the resource. */
export function longestLifetime(payloadOptions: PayloadOptions | undefined): number {
  return payloadOptions?.includeResource ? 4 * hour : 7 * 24 * hour;
}

const reminders = [
  { moment: 'twelve-hours-before', before: 12 * hour },
  { moment: 'one-hour-before', before: hour },
  { moment: 'end', before: 0 },
] as const;

/** A moment in the life of a subscription: a reminder of its end, or the end. */
type LifeMoment = {
  readonly moment: (typeof reminders)[number]['moment'];
  readonly at: number;
};

/**
 * The next moment after `now` (E5.6, E5.7). A reminder whose time has passed at creation or renewal
 * is skipped (E5.9); the end is due even when it has passed.
 */
export function nextMoment(expiresAt: number, now: number): LifeMoment {
  const moments = reminders.map(({ moment, before }) => ({ moment, at: expiresAt - before }));
  return moments.find(({ at }) => at > now) ?? { moment: 'end', at: expiresAt };
}

type Wish = { readonly ttl?: number | undefined; readonly expireTime?: number | undefined };

type ResolvedExpiry =
  | { readonly expiresAt: number; readonly violation?: undefined }
  | { readonly violation: FieldViolation; readonly expiresAt?: undefined };

/**
 * When a subscription with this requested `ttl` or `expireTime` ends (E2.11, E2.12, E2.19, E3.23,
 * E6.3, E6.12). Without either, or with a `ttl` of 0, it lives as long as it may.
 */
export function resolveExpiry(
  { ttl, expireTime }: Wish,
  { now, longest }: { readonly now: number; readonly longest: number },
): ResolvedExpiry {
  if (ttl !== undefined && expireTime !== undefined) {
    return refuse('ttl', 'is given together with expireTime: give one of the two');
  }
  const field = expireTime === undefined ? 'ttl' : 'expireTime';
  const expiresAt = expireTime ?? now + (ttl || longest);
  const lifetime = expiresAt - now;
  if (lifetime >= shortestLifetime && lifetime <= longest) return { expiresAt };
  const given = field === 'ttl' ? formatDuration(lifetime) : formatTimestamp(expiresAt);
  const limit =
    lifetime < shortestLifetime
      ? `at least ${formatDuration(shortestLifetime)} from now`
      : `at most ${formatDuration(longest)} from now`;
  return refuse(field, `is ${given} but a subscription lasts ${limit}`);

  function refuse(name: string, description: string): ResolvedExpiry {
    return { violation: { field: name, description } };
  }
}

/** The kind of scheduled work that sends reminders before subscriptions expire, and ends them. */
export const subscriptionMoments = 'events.subscription-moments';

/** What is scheduled: a moment, and the expiry it belongs to. */
export type MomentWork = { readonly moment: string; readonly expiresAt: number };

/** Schedules the next reminder or the end, in place of what was scheduled before (E3.27). */
export async function scheduleNextMoment(
  tx: Transaction,
  { subscription, now }: { readonly subscription: Subscription; readonly now: number },
): Promise<void> {
  const { id, expiresAt } = subscription;
  const { moment, at } = nextMoment(expiresAt, now);
  const payload: MomentWork = { moment, expiresAt };
  await scheduleWork(tx, { kind: subscriptionMoments, key: id, payload, dueAt: at });
}
