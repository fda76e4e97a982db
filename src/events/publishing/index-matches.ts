import type { NewEvent } from '../model/event.ts';
import type { Addressed } from '../store/queue/fan-out-store.ts';
import type { Match, MatchKey } from '../store/queue/queue-store.ts';

/** Who sees an event: everybody who holds the scopes of its application, or only the account that published it if it holds them. */
export type EventVisibility = 'shared' | 'own';

/** An event with the targets it may be found by. */
export type AddressedEvent = Addressed & { readonly event: NewEvent };

/** What subscriptions to these events are looked up by, each type and target once. */
export function matchKeysOf(events: readonly Addressed[]): MatchKey[] {
  const keys = events.flatMap(({ event: { type }, forms }) =>
    forms.map((target) => [keyOf({ type, target }), { type, target }] as const),
  );
  return [...new Map(keys).values()];
}

/**
 * Returns for each event the lanes that get it, with the target each was found by; one that is found by two targets
 * gets the event once. A narrow lane gets nothing of the files below its target (E2.16). With the visibility `own` a
 * lane gets what its own account published and what this server did, for which the scopes of the application are
 * asked at subscribing (F7).
 */
export function indexMatches(matches: readonly Match[], visibility: EventVisibility) {
  const byKey = Map.groupBy(matches, keyOf);

  return ({ event, forms }: Addressed): ReadonlyMap<number, string> => {
    const { type, subject, publishedBy } = event;
    const isSeenBy = ({ account, seesAll }: Match) =>
      visibility === 'shared' ||
      publishedBy === undefined ||
      seesAll ||
      publishedBy.account === account;
    const lanes = new Map<number, string>();
    for (const target of forms) {
      for (const match of byKey.get(keyOf({ type, target })) ?? []) {
        const isTooDeep = match.isNarrow && isFileBelow(subject, target);
        if (!isTooDeep && isSeenBy(match)) lanes.set(match.lane, target);
      }
    }
    return lanes;
  };
}

function keyOf({ type, target }: MatchKey): string {
  return `${type}\n${target}`;
}

/** Whether the subject is another file inside the target, and not a part of it such as a comment. */
function isFileBelow(subject: string, target: string): boolean {
  return subject.split('/')[target.split('/').length] === 'files';
}
