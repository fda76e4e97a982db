import { EventsError } from '../../errors/events-error.ts';
import type { Subscription } from '../../model/subscription.ts';
import { subscriptionName } from '../../model/subscription-name.ts';
import { etagOf } from './etag.ts';

/** Throws `ABORTED` if the caller's etag is of another version of the subscription (E2.14). */
export function refuseOtherEtag(subscription: Subscription, given: string | undefined): void {
  if (given === undefined || given === '' || given === etagOf(subscription)) return;
  const name = subscriptionName(subscription.id);
  throw new EventsError(
    'ABORTED',
    `The etag is not the current one of ${name}: read it again, then repeat your change.`,
    { reason: 'ETAG_MISMATCH', metadata: { name } },
  );
}
