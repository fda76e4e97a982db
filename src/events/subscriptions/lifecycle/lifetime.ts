import type { PayloadOptions } from '../../model/subscription.ts';

const hour = 3_600_000;

/** A lifetime below this is refused (E6.12). */
export const shortestLifetime = 60_000;

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
export type LifeMoment = {
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
