import type { Clock } from '../../kernel/wait/clock.ts';
import { orLate } from '../../kernel/wait/deadline.ts';
import { callerHasLeft, type HasLeft } from '../../kernel/wait/presence.ts';
import type { PublishResult } from '../model/event.ts';
import { EventsError } from '../model/events-error.ts';
import { eventKey } from '../store/queue/queue-store.ts';
import type { AddressedEvent } from './index-matches.ts';

/** The most events in one commit, unless a single call has more; calls that come meanwhile form the next commit. */
const eventsInCommit = 2_000;

/** Milliseconds after which a commit counts as hung, and the next one no longer waits for it. */
const patience = 1_000;
/** How many commits may hang before new calls wait for one of them to end. */
const mostHung = 4;
/** Milliseconds that a call waits for its commit to begin. */
const longestWait = 10_000;

type Commit = (events: readonly AddressedEvent[]) => Promise<ReadonlyMap<string, unknown>>;

/**
 * Lets calls share a commit: while one is under way, new calls wait for the next. A commit that takes longer than a
 * second no longer delays the next one. `commit` returns the new events by their keys; if it fails, so do all calls
 * that share it. A call whose caller has disconnected before the commit began is dropped, and a call that has waited
 * for ten seconds is refused with `UNAVAILABLE`. Nothing of either is stored.
 */
export function createSharedCommits(
  commit: Commit,
  clock: Clock,
): (events: readonly AddressedEvent[]) => Promise<PublishResult> {
  let waiting: Call[] = [];
  let running = 0;
  let isFree = true;

  const commitWaiting = async (): Promise<void> => {
    while (isFree && waiting.length > 0 && running < mostHung) {
      const calls = takeUpTo(waiting, eventsInCommit);
      waiting = waiting.slice(calls.length);
      isFree = false;
      await orLate(commitFor(calls.filter(isWanted)), {
        clock,
        milliseconds: patience,
        late: () => {},
      });
      isFree = true;
    }
  };

  const commitFor = async (calls: readonly Call[]): Promise<void> => {
    if (calls.length === 0) return;
    running += 1;
    try {
      const stored = await commit(calls.flatMap((call) => call.events));
      // If two calls have the same event, it counts as accepted for the first.
      const unclaimed = new Set(stored.keys());
      for (const call of calls) call.resolve(countAccepted(call.events, unclaimed));
    } catch (error) {
      for (const call of calls) call.reject(error);
    } finally {
      running -= 1;
      // If too many commits hung, the calls that came meanwhile wait for this one to end.
      void commitWaiting();
    }
  };

  const isWanted = ({ since, hasLeft, reject }: Call): boolean => {
    const isLate = clock.elapsed() - since > longestWait;
    if (!isLate && !hasLeft()) return true;
    reject(
      new EventsError(
        'UNAVAILABLE',
        'The database does not accept events now: repeat the request in a moment.',
        {
          reason: 'STORE_UNAVAILABLE',
        },
      ),
    );
    return false;
  };

  return (events) =>
    new Promise((resolve, reject) => {
      waiting.push({ events, since: clock.elapsed(), hasLeft: callerHasLeft(), resolve, reject });
      void commitWaiting();
    });
}

/** Counts the events whose keys are in `unclaimed`, and removes these keys. */
export function countAccepted(
  events: readonly AddressedEvent[],
  unclaimed: Set<string>,
): PublishResult {
  const accepted = events.filter(({ event }) => unclaimed.delete(eventKey(event))).length;
  return { accepted, duplicates: events.length - accepted };
}

type Call = {
  readonly events: readonly AddressedEvent[];
  /** When it came, by the `elapsed` of the clock. */
  readonly since: number;
  readonly hasLeft: HasLeft;
  resolve(result: PublishResult): void;
  reject(error: unknown): void;
};

function takeUpTo(calls: readonly Call[], limit: number): Call[] {
  let events = 0;
  const taken = calls.findIndex((call, index) => {
    events += call.events.length;
    return index > 0 && events > limit;
  });
  return calls.slice(0, taken === -1 ? calls.length : taken);
}
