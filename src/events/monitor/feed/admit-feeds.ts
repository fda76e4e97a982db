import { accountOf, type EventsCaller } from '../../caller.ts';
import { EventsError } from '../../errors/events-error.ts';
import { eventsLimits } from '../../limits.ts';

/** Counts the feeds that are open at this process. */
export type FeedAdmission = {
  /** Returns what to call when the feed ends. Throws `RESOURCE_EXHAUSTED` where too many are open. */
  enter(caller: EventsCaller): () => void;
};

export function admitFeeds(): FeedAdmission {
  const open = new Map<string, number>();
  let all = 0;
  return {
    enter(caller) {
      const account = accountOf(caller);
      const own = open.get(account) ?? 0;
      if (own >= eventsLimits.feeds.value) throw tooMany(eventsLimits.feeds.value, 'of yours');
      if (all >= eventsLimits.allFeeds.value) throw tooMany(eventsLimits.allFeeds.value, 'in all');
      open.set(account, own + 1);
      all++;
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        all--;
        const left = (open.get(account) ?? 1) - 1;
        if (left === 0) open.delete(account);
        else open.set(account, left);
      };
    },
  };
}

function tooMany(limit: number, whose: string): EventsError {
  return new EventsError(
    'RESOURCE_EXHAUSTED',
    `${limit} live feeds ${whose} are open at this server: close one, then come again.`,
    {
      reason: 'TOO_MANY_FEEDS',
      metadata: { limit: String(limit), whose },
      retryAfterSeconds: 5,
    },
  );
}
