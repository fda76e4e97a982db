import { accountOf, type EventsCaller, isAdmin, principalOf } from '../caller.ts';
import type { Subscription } from './subscription.ts';

/** Which subscriptions a caller may monitor: everybody's, those of one person, or those of one principal. */
export type Reach =
  | { readonly of: 'everybody' }
  | { readonly of: 'person'; readonly userId: string; readonly account: string }
  | { readonly of: 'principal'; readonly principal: string };

/** A query for the next rows within reach, after a number. */
export type AfterWithin = {
  readonly reach: Reach;
  readonly after: number;
  readonly limit: number;
};

/**
 * An admin reaches everybody's subscriptions, and a person in the server's own console all of their own (K2). Through
 * any other client a person reaches only the subscriptions that this client created: otherwise it could rotate a
 * signing secret and learn the new one.
 */
export function reachOf(
  caller: EventsCaller,
  { isConsole }: { isConsole(clientId: string): boolean },
): Reach {
  if (isAdmin(caller)) return { of: 'everybody' };
  if (caller.isPerson && isConsole(caller.clientId)) {
    return { of: 'person', userId: caller.subject, account: accountOf(caller) };
  }
  return { of: 'principal', principal: principalOf(caller) };
}

export function isWithin(
  reach: Reach,
  { principal, userId }: Pick<Subscription, 'principal' | 'userId'>,
): boolean {
  switch (reach.of) {
    case 'everybody':
      return true;
    case 'person':
      return userId === reach.userId;
    case 'principal':
      return principal === reach.principal;
  }
}
