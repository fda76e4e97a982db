import type { Clock } from '../../kernel/wait/clock.ts';
import { createBoundedMap } from '../../kernel/wait/remembered.ts';
import { subscribedType } from '../applications/create-catalogue.ts';
import { eventsLimits } from '../limits.ts';
import type { EventVisibility } from '../model/caller.ts';
import type { NewEvent } from '../model/event.ts';
import type { Addressed } from '../store/queue/fan-out-store.ts';
import type { Match, MatchKey } from '../store/queue/queue-store.ts';

/** An event with the targets that subscriptions to it may have. */
export type AddressedEvent = Addressed & { readonly event: NewEvent };

/** The keys by which subscriptions to these events are looked up, each type and target once. */
export function matchKeysOf(events: readonly Addressed[]): MatchKey[] {
  const keys = events.flatMap(({ event, forms }) => {
    const type = subscribedType(event.type);
    return forms.map((target) => [matchKeyText({ type, target }), { type, target }] as const);
  });
  return [...new Map(keys).values()];
}

/**
 * Returns a function that gives the lanes of an event, each with the target that matched. A lane that matches by two
 * targets gets the event once. A narrow lane gets no events of files below its target (E2.16). With the visibility
 * `own` a lane gets the events that its own account or this server published; the scopes of the application were
 * checked when it subscribed (F7).
 */
export function indexMatches(matches: readonly Match[], visibility: EventVisibility) {
  const byKey = Map.groupBy(matches, matchKeyText);

  return ({ event, forms }: Addressed): ReadonlyMap<number, string> => {
    const { subject, publishedBy } = event;
    const type = subscribedType(event.type);
    const isSeenBy = ({ account, seesAll }: Match) =>
      visibility === 'shared' ||
      publishedBy === undefined ||
      seesAll ||
      publishedBy.account === account;
    const lanes = new Map<number, string>();
    for (const target of forms) {
      for (const match of byKey.get(matchKeyText({ type, target })) ?? []) {
        const isTooDeep = match.isNarrow && isFileBelow(subject, target);
        if (!isTooDeep && isSeenBy(match)) lanes.set(match.lane, target);
      }
    }
    return lanes;
  };
}

function matchKeyText({ type, target }: MatchKey): string {
  return `${type}\n${target}`;
}

/** Whether the subject is another file inside the target, and not a part of it such as a comment. */
function isFileBelow(subject: string, target: string): boolean {
  return subject.split('/')[target.split('/').length] === 'files';
}

/** The targets that had too many subscriptions for their events to be queued before the answer. */
export type PopularTargets = {
  /** Notes the target of these matches, if they all have the same one. */
  note(matches: readonly MatchKey[]): void;
  /** Whether one of these is known to be popular. */
  includesAny(keys: readonly MatchKey[]): boolean;
};

const { popularTargets, popularTime } = eventsLimits;

/**
 * Remembers popular targets for a minute, so that not each of their events has to find a hundred subscriptions only
 * to learn that there are more (T12). This decides only when an event is queued, never for whom.
 */
export function rememberPopular(clock: Pick<Clock, 'elapsed'>): PopularTargets {
  const knownUntil = createBoundedMap<string, number>(popularTargets.value);
  return {
    note(matches) {
      const [key, ...others] = new Set(matches.map(matchKeyText));
      if (key === undefined || others.length > 0) return;
      knownUntil.set(key, clock.elapsed() + popularTime.value);
    },
    includesAny: (keys) =>
      keys.some((key) => (knownUntil.get(matchKeyText(key)) ?? 0) > clock.elapsed()),
  };
}
