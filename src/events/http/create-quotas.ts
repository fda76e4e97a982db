import type { Database } from '../../kernel/database/database.ts';
import { createRateLimiter } from '../../kernel/edge/rate-limiter.ts';
import { count } from '../../kernel/text/text.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { eventsLimits } from '../limits.ts';
import { accountOf, type EventsCaller, principalOf } from '../model/caller.ts';
import { EventsError } from '../model/events-error.ts';

export type QuotaKind = 'reads' | 'writes' | 'monitor';

/** Counts calls: reads and writes apart, for a project, which is a client, and for each user of it. */
export type Quotas = {
  /** Throws `RESOURCE_EXHAUSTED` beyond the quota (E6.6-E6.9). */
  take(kind: QuotaKind, caller: EventsCaller): Promise<void>;
  /** Counts the bytes that an account publishes, over all its clients (F87). Throws `RESOURCE_EXHAUSTED` beyond the quota (F8). */
  takeBytes(bytes: number, caller: EventsCaller): Promise<void>;
};

// E6.6, E6.7; both a minute.
const [perProject, perUser] = [eventsLimits.projectCalls.value, eventsLimits.userCalls.value];

/** Publishing is counted by the kilobyte, which is fine enough and keeps the sums of the limiter exact. */
const bytesCounted = 1_000;

/** Counts in the database, so that all processes share the quotas. */
export function createQuotas(options: {
  readonly database: Database;
  readonly clock: Clock;
  /** In bytes a minute. */
  readonly publishQuota: number;
}): Quotas {
  const limiters = (name: string) => ({
    user: createRateLimiter({ ...options, name: `events-${name}-user`, perMinute: perUser }),
    project: createRateLimiter({
      ...options,
      name: `events-${name}-project`,
      perMinute: perProject,
    }),
  });
  const byKind = { reads: limiters('reads'), writes: limiters('writes') };
  const monitored = createRateLimiter({
    ...options,
    name: 'events-monitor-user',
    perMinute: eventsLimits.monitorCalls.value,
  });
  const published = createRateLimiter({
    ...options,
    name: 'events-published-bytes',
    perMinute: Math.floor(options.publishQuota / bytesCounted),
  });

  return {
    async take(kind, caller) {
      if (kind === 'monitor') {
        const outcome = await monitored.take(principalOf(caller));
        if (!outcome.isAllowed) throw exhausted('calls', outcome, 'user of a project');
        return;
      }
      const { user, project } = byKind[kind];
      const ofUser = await user.take(principalOf(caller));
      if (!ofUser.isAllowed) throw exhausted(kind, ofUser, 'user of a project');
      const ofProject = await project.take(caller.clientId);
      if (!ofProject.isAllowed) throw exhausted(kind, ofProject, 'project');
    },
    async takeBytes(bytes, caller) {
      const cost = Math.ceil(bytes / bytesCounted);
      const limit = Math.floor(options.publishQuota / bytesCounted);
      const outcome =
        cost > limit
          ? { isAllowed: false, retryAfterSeconds: 60 }
          : await published.take(accountOf(caller), cost);
      if (outcome.isAllowed) return;
      throw exhausted('bytes', { ...outcome, limit: options.publishQuota }, 'publisher');
    },
  };
}

function exhausted(
  kind: string,
  { limit, retryAfterSeconds }: { limit: number; retryAfterSeconds: number },
  whose: string,
): EventsError {
  const [allowed, seconds] = [String(limit), Math.max(1, retryAfterSeconds)];
  return new EventsError(
    'RESOURCE_EXHAUSTED',
    `More than ${allowed} ${kind} a minute for each ${whose}: wait ${count(seconds, 'second')}, then try again.`,
    {
      reason: 'RATE_LIMIT_EXCEEDED',
      metadata: { limit: allowed, kind, whose, seconds: String(seconds) },
      retryAfterSeconds: seconds,
    },
  );
}
