import { facts } from '../facts.ts';
import { count } from '../parts/count.ts';
import { mayUse } from '../sign-in/session.ts';
import { listAll } from './list-all.ts';

type Listed = { readonly clientId: string; readonly userId?: string };

/** How many subscriptions a client or person has, for the question before they end (K16). In words: empty if there is none, no number if the reader may not see it. */
export async function countSubscriptions(whose: {
  readonly clientId?: string;
  readonly personId?: string;
}): Promise<string> {
  if (!facts.services.includes('events') || !mayUse('subscriptions.read'))
    return 'the subscriptions';
  const { clientId, personId } = whose;
  const { signal } = new AbortController();
  const all = await listAll<Listed>('/v1/monitor/subscriptions', 'subscriptions', signal);
  const theirs = all.filter(
    (one) =>
      (clientId === undefined || one.clientId === clientId) &&
      (personId === undefined || one.userId === personId),
  );
  return theirs.length === 0 ? '' : count(theirs.length, 'subscription');
}
