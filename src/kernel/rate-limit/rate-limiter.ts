import { callerHasLeft, type HasLeft, onBehalfOf } from '../cancel/presence.ts';
import { createBoundedMap } from '../collections/bounded-map.ts';
import type { Database } from '../database/database.ts';
import { edgeLimits } from '../limits/edge-limits.ts';
import type { Clock } from '../time/clock.ts';
import { giveStretch } from './rate-limit-store.ts';

export type RateLimiterOptions = {
  readonly database: Database;
  readonly clock: Clock;
  /** Distinguishes this limit from others in the same database. */
  readonly name: string;
  /** The tokens that are added per minute, and the capacity of the bucket. */
  readonly perMinute: number;
};

export type RateLimitAnswer = {
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
