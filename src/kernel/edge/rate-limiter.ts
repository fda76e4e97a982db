import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { createPruner, type PrunerOptions, type Worker } from '../process/worker.ts';
import type { Clock } from '../wait/clock.ts';
import { callerHasLeft, type HasLeft, onBehalfOf } from '../wait/presence.ts';
import { createBoundedMap } from '../wait/remembered.ts';
import { edgeLimits } from './limits.ts';

type RateLimiterOptions = {
  readonly database: Database;
  readonly clock: Clock;
  /** Distinguishes this limit from others in the same database. */
  readonly name: string;
  /** The tokens that are added per minute, and the capacity of the bucket. */
  readonly perMinute: number;
};

type RateLimitAnswer = {
  readonly isAllowed: boolean;
  readonly limit: number;
  /** Tokens left, as far as this process knows. */
  readonly remaining: number;
  /** When to retry after a refusal; 0 otherwise. */
  readonly retryAfterSeconds: number;
  /** Until the bucket is full if no token is spent. */
  readonly resetSeconds: number;
};

export type RateLimiter = {
  /** Spends `cost` tokens of the caller, or none if there are too few. */
  take(key: string, cost?: number): Promise<RateLimitAnswer>;
};

/** What this process knows of a caller: the stretch it holds, and until when time is given out. */
type Caller = { from: number; until: number; givenUntil: number };

/** A query to the store, and the callers that wait for it. */
type Question = { readonly askers: HasLeft[]; readonly isPaid: Promise<boolean> };

/** A process asks the store for this part of the limit at a time, and spends it in memory. */
const partHeld = 1 / 20;
/** Some 2 MB. An evicted caller loses what was held for it, at most a twentieth of the limit. */
const callersKept = edgeLimits.callersCounted.value;

/**
 * A token bucket for each caller, kept in the store and so shared by all processes.
 *
 * A token is a stretch of time, a minute divided by the limit; a caller's stretches are given out one
 * after another, at most a minute ahead (the generic cell rate algorithm). To avoid a durable write
 * for each request, a process takes a longer stretch and spends it in memory. What it has not spent
 * when that time passes is forfeited, so that over all processes the limit is never exceeded.
 *
 * Rejects with a `DatabaseError` when the store does not answer.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { database, clock, name, perMinute } = options;
  // Microseconds, so that every sum is exact; rounding the token up keeps below the limit.
  const token = Math.ceil(60_000_000 / perMinute);
  const horizon = token * perMinute;
  const now = () => clock.now() * 1_000;
  const held = Math.max(1, Math.floor(perMinute * partHeld));
  const callers = createBoundedMap<string, Caller>(callersKept);
  const asking = new Map<string, Question>();

  const know = (key: string): Caller => {
    const caller = callers.get(key) ?? { from: 0, until: 0, givenUntil: 0 };
    callers.set(key, caller);
    return caller;
  };

  /** How many tokens the store would still give, as far as is known. */
  const countLeft = ({ givenUntil }: Caller) =>
    Math.floor((now() + horizon - Math.max(givenUntil, now())) / token);

  const countHeld = ({ from, until }: Caller) =>
    Math.max(0, Math.floor((until - Math.max(from, now())) / token));

  /** Returns whether the cost is paid: it is spent as of the query, however long the store takes to answer. */
  const ask = async (key: string, cost: number): Promise<boolean> => {
    const caller = know(key);
    const askedAt = now();
    const length = token * Math.min(Math.max(cost, held), countLeft(caller));
    const answer = await giveStretch(database, { name, key, now: askedAt, length, horizon });
    caller.givenUntil = answer.givenUntil;
    if (!answer.isGiven) return false;
    const from = answer.givenUntil - length;
    // A stretch that directly follows the one held extends it; otherwise the rest of the old one is forfeited.
    if (from !== caller.until) caller.from = from;
    caller.until = answer.givenUntil;
    caller.from = Math.max(caller.from, askedAt) + cost * token;
    return true;
  };

  const describe = (caller: Caller, cost: number, isAllowed: boolean): RateLimitAnswer => {
    const ahead = Math.max(0, caller.givenUntil - now());
    return {
      isAllowed,
      limit: perMinute,
      remaining: countHeld(caller) + countLeft(caller),
      retryAfterSeconds: isAllowed ? 0 : toSeconds(ahead + cost * token - horizon),
      resetSeconds: toSeconds(ahead),
    };
  };

  return {
    async take(key, cost = 1) {
      if (cost > perMinute) {
        throw new RangeError(`A cost of ${cost} can never be paid from a limit of ${perMinute}.`);
      }
      for (;;) {
        const caller = know(key);
        if (countHeld(caller) >= cost) {
          caller.from = Math.max(caller.from, now()) + cost * token;
          return describe(caller, cost, true);
        }
        // `givenUntil` only grows, so a known refusal needs no query to the store.
        if (countLeft(caller) < cost) return describe(caller, cost, false);
        const underWay = asking.get(key);
        if (underWay !== undefined) {
          underWay.askers.push(callerHasLeft());
          await underWay.isPaid;
          continue;
        }
        const askers = [callerHasLeft()];
        const haveAllLeft = () => askers.every((hasLeft) => hasLeft());
        const asked = onBehalfOf(haveAllLeft, () => ask(key, cost));
        const isPaid = asked.finally(() => asking.delete(key));
        asking.set(key, { askers, isPaid });
        if (await isPaid) return describe(caller, cost, true);
      }
    },
  };
}

function toSeconds(microseconds: number): number {
  return Math.ceil(microseconds / 1_000_000);
}

/** A request for a stretch of a caller's time. All times are whole microseconds. */
type StretchRequest = {
  readonly name: string;
  readonly key: string;
  readonly now: number;
  readonly length: number;
  /** How far beyond `now` time may be given out. */
  readonly horizon: number;
};

/** `givenUntil` is the end of the stretch or, if it did not fit, of the time given out so far. */
type StretchAnswer = { readonly isGiven: boolean; readonly givenUntil: number };

/** Gives out a stretch of a caller's time, in one conditional write. */
async function giveStretch(
  database: Database,
  { name, key, now, length, horizon }: StretchRequest,
): Promise<StretchAnswer> {
  const given = await database.first<{ given_until: number }>(sql`
    INSERT INTO rate_limits (name, key, given_until) VALUES (${name}, ${key}, ${now + length})
    ON CONFLICT (name, key) DO UPDATE SET given_until = CAST(${length} AS BIGINT) +
      CASE WHEN rate_limits.given_until > ${now} THEN rate_limits.given_until ELSE ${now} END
    WHERE rate_limits.given_until <= ${now + horizon - length}
    RETURNING given_until`);
  if (given !== undefined) return { isGiven: true, givenUntil: given.given_until };
  const known = await database.first<{ given_until: number }>(
    sql`SELECT given_until FROM rate_limits WHERE name = ${name} AND key = ${key}`,
  );
  return { isGiven: false, givenUntil: known?.given_until ?? now };
}

/** Deletes some callers whose time has passed, as if they were never seen. Returns how many. */
function pruneRateLimits(
  database: Database,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<number> {
  return database.run(sql`
    DELETE FROM rate_limits WHERE (name, key) IN (
      SELECT name, key FROM rate_limits WHERE given_until < ${now} LIMIT ${limit})`);
}

/** The worker that deletes callers whose buckets are full again. */
export function createRateLimitPruner(
  options: PrunerOptions & { readonly database: Database },
): Worker {
  return createPruner({
    ...options,
    name: 'rate-limit-pruner',
    prunings: [({ now, limit }) => pruneRateLimits(options.database, { now: now * 1_000, limit })],
    pauseMs: 60_000,
  });
}
