import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { createRateLimiter } from '../../kernel/rate-limit/rate-limiter.ts';
import { type EventsCaller, principalOf } from '../caller.ts';
import { EventsError } from '../events-error.ts';
import { eventsLimits } from '../limits.ts';

/** Counts calls: reads and writes apart, for a project, which is a client, and for each user of it. */
export type Quotas = {
  /** Throws `RESOURCE_EXHAUSTED` over the quota (E6.6-E6.9). */
  take(kind: 'reads' | 'writes', caller: EventsCaller): Promise<void>;
};

// E6.6, E6.7; both a minute.
const [perProject, perUser] = [eventsLimits.projectCalls.value, eventsLimits.userCalls.value];

/** Counts in the database, so that all processes share the quotas. */
export function createQuotas(options: { database: Database; clock: Clock }): Quotas {
  const limiters = (name: string) => ({
    user: createRateLimiter({ ...options, name: `events-${name}-user`, perMinute: perUser }),
    project: createRateLimiter({
      ...options,
      name: `events-${name}-project`,
      perMinute: perProject,
    }),
  });
  const byKind = { reads: limiters('reads'), writes: limiters('writes') };

  return {
    async take(kind, caller) {
      const { user, project } = byKind[kind];
      const ofUser = await user.take(principalOf(caller));
      if (!ofUser.isAllowed) throw exhausted(kind, ofUser, 'user of a project');
      const ofProject = await project.take(caller.clientId);
      if (!ofProject.isAllowed) throw exhausted(kind, ofProject, 'project');
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
    `More than ${allowed} ${kind} a minute and ${whose}: wait ${seconds} seconds, then go on.`,
    {
      reason: 'RATE_LIMIT_EXCEEDED',
      metadata: { limit: allowed, kind, whose, seconds: String(seconds) },
      retryAfterSeconds: seconds,
    },
  );
}
