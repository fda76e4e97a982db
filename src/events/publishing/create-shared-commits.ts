import type { PublishResult } from '../model/event.ts';
import { eventKey } from '../store/queue-store.ts';
import type { AddressedEvent } from './index-matches.ts';

/** Bounds how much one commit holds; what comes meanwhile makes up the next. */
const eventsInCommit = 2_000;

/**
 * Lets calls that come together share a commit: while one is under way, those that come wait for the
 * next. `commit` answers what was new by its key; where it fails, so do all calls that share it.
 */
export function createSharedCommits(
  commit: (events: readonly AddressedEvent[]) => Promise<ReadonlyMap<string, unknown>>,
): (events: readonly AddressedEvent[]) => Promise<PublishResult> {
  let waiting: Call[] = [];
  let isRunning = false;

  const commitWaiting = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const calls = takeUpTo(waiting, eventsInCommit);
      waiting = waiting.slice(calls.length);
      try {
        const stored = await commit(calls.flatMap((call) => call.events));
        // Of two calls with one event the first has it accepted.
        const unclaimed = new Set(stored.keys());
        for (const call of calls) call.resolve(countAccepted(call.events, unclaimed));
      } catch (error) {
        for (const call of calls) call.reject(error);
      }
    }
    isRunning = false;
  };

  return (events) =>
    new Promise((resolve, reject) => {
      waiting.push({ events, resolve, reject });
      if (!isRunning) void commitWaiting();
    });
}

/** How many of the events are among what was stored; takes them out of it. */
export function countAccepted(
  events: readonly AddressedEvent[],
  unclaimed: Set<string>,
): PublishResult {
  const accepted = events.filter(({ event }) => unclaimed.delete(eventKey(event))).length;
  return { accepted, duplicates: events.length - accepted };
}

type Call = {
  readonly events: readonly AddressedEvent[];
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
