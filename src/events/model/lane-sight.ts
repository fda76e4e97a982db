import { accountOfPrincipal } from '../caller.ts';

/**
 * Who sees an event, provided they hold the scopes of its application: with `shared` everybody, with `own` only the
 * account that published it.
 */
export type EventVisibility = 'shared' | 'own';

/** Whose events a lane holds. */
export type LaneSight = {
  /** The account of its owner, see `accountOf`. */
  readonly account: string;
  /** With the visibility `own`, it gets the events of every account. */
  readonly seesAll: boolean;
  /** It got them once, so it may hold some. */
  readonly sawAll: boolean;
};

/**
 * Returns which events in a lane somebody may read again, by their publisher, which is '' for this server. The right to
 * see the events of every account is that of the lane and of the one who reads (F51).
 */
export function sightInto(
  { account, seesAll, sawAll }: LaneSight,
  { visibility, isAdmin }: { readonly visibility: EventVisibility; readonly isAdmin: boolean },
): (publisher: string) => boolean {
  if (visibility === 'shared' || !sawAll || (seesAll && isAdmin)) return () => true;
  return (publisher) => publisher === '' || accountOfPrincipal(publisher) === account;
}
