import { createBoundedMap } from '../../kernel/collections/bounded-map.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { eventsLimits } from '../limits.ts';
import type { MatchKey } from '../store/queue/queue-store.ts';
import { matchKeyText } from './index-matches.ts';

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
