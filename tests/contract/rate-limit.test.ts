import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/kernel/database/database.ts';
import { rateLimitMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import {
  createRateLimiter,
  createRateLimitPruner,
  type RateLimiter,
} from '../../src/kernel/edge/rate-limiter.ts';
import { callerHasLeft, type HasLeft, onBehalfOf } from '../../src/kernel/wait/presence.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import { startWorker } from '../support/start-worker.ts';
import { testEngines } from '../support/test-engines.ts';

describe.each(testEngines)('a rate limit on $engine', ({ createStore }) => {
  test('allows as many as it says, then refuses and tells when to come again [H37]', async () => {
    const { database, clock } = await setUp();
    const limiter = limit(database, clock, 60);
    expect(await takeMany(limiter, 60)).toBe(60);
    expect(await limiter.take('caller')).toEqual({
      isAllowed: false,
      limit: 60,
      remaining: 0,
      retryAfterSeconds: 1,
      resetSeconds: 60,
    });
    clock.advance(999);
    expect(await takeMany(limiter, 1)).toBe(0);
    clock.advance(1);
    expect(await takeMany(limiter, 2)).toBe(1);
    clock.advance(60_000);
    expect(await takeMany(limiter, 61)).toBe(60);
  });

  test('queries the store on behalf of all waiting callers, and drops the query only when each has left [N9, D1]', async () => {
    const { database, clock } = await setUp();
    const asked: HasLeft[] = [];
    const mayAnswer = Promise.withResolvers<void>();
    const slow: Database = {
      ...database,
      async first(statement) {
        asked.push(callerHasLeft());
        await mayAnswer.promise;
        return database.first(statement);
      },
    };
    const limiter = limit(slow, clock, 60);
    const take = (hasLeft: HasLeft) => onBehalfOf(hasLeft, () => limiter.take('caller'));
    const first = take(() => true);
    expect(asked.map((hasLeft) => hasLeft())).toEqual([true]);
    const second = take(() => false);
    expect(asked.map((hasLeft) => hasLeft())).toEqual([false]);
    mayAnswer.resolve();
    expect(await Promise.all([first, second])).toMatchObject([
      { isAllowed: true },
      { isAllowed: true },
    ]);
  });

  test('reports what remains', async () => {
    const { database, clock } = await setUp();
    const limiter = limit(database, clock, 100);
    expect(await limiter.take('caller')).toMatchObject({ isAllowed: true, remaining: 99 });
    expect(await limiter.take('caller', 9)).toMatchObject({ remaining: 90, retryAfterSeconds: 0 });
    expect(await limiter.take('other')).toMatchObject({ remaining: 99 });
  });

  test('takes a cost as a whole or not at all', async () => {
    const { database, clock } = await setUp();
    const limiter = limit(database, clock, 10);
    expect(await limiter.take('caller', 8)).toMatchObject({ isAllowed: true });
    expect(await limiter.take('caller', 3)).toMatchObject({
      isAllowed: false,
      retryAfterSeconds: 6,
    });
    expect(await limiter.take('caller', 2)).toMatchObject({ isAllowed: true });
    await expect(limiter.take('caller', 11)).rejects.toThrow(/can never be paid/);
  });

  test('counts concurrent callers [H37]', async () => {
    const { database, clock } = await setUp();
    const alone = limit(database, clock, 60);
    expect(await countAllowed(Array.from({ length: 100 }, () => alone.take('alone')))).toBe(60);
    const [one, other] = [limit(database, clock, 60), limit(database, clock, 60)];
    const shared = await countAllowed([
      ...Array.from({ length: 100 }, () => one.take('shared')),
      ...Array.from({ length: 100 }, () => other.take('shared')),
    ]);
    expect(shared).toBe(60);
  });

  test('is never exceeded over all processes, whenever they ask [H37]', async () => {
    const { database, clock } = await setUp();
    const perMinute = 70;
    const fraction = createSeededFractions(7);
    const limiters = [1, 2, 3].map(() => limit(database, clock, perMinute));
    const allowedAt: number[] = [];
    for (let step = 0; step < 500; step++) {
      if (fraction() < 0.3) clock.advance(Math.floor(fraction() * fraction() * 4_000));
      const limiter = limiters[Math.floor(fraction() * limiters.length)]!;
      if ((await limiter.take('caller')).isAllowed) allowedAt.push(clock.now());
    }
    for (let first = 0; first < allowedAt.length; first++) {
      for (let last = first; last < allowedAt.length; last++) {
        const elapsed = allowedAt[last]! - allowedAt[first]!;
        const permitted = perMinute + (elapsed * perMinute) / 60_000;
        if (last - first + 1 > permitted) expect.fail(`${last - first + 1} in ${elapsed} ms`);
      }
    }
    expect(allowedAt.length).toBeGreaterThan(200);
  });

  test('forfeits tokens that a process holds and does not spend in time', async () => {
    const { database, clock } = await setUp();
    const limiters = [1, 2, 3].map(() => limit(database, clock, 60));
    for (const limiter of limiters) await limiter.take('caller');
    clock.advance(60_000);
    let allowed = 0;
    for (const limiter of limiters) allowed += await takeMany(limiter, 60);
    expect(allowed).toBe(60);
  });

  test('admits as many as it says even if the store is slow [D11]', async () => {
    const { database, clock } = await setUp();
    const slow: Database = {
      ...database,
      async first(query) {
        const row = await database.first(query);
        clock.advance(1);
        // A row of the wrapped database, so its type holds.
        return row as never;
      },
    };
    for (const perMinute of [1, 5, 7, 600]) {
      clock.advance(120_000);
      expect(await takeMany(limit(slow, clock, perMinute), perMinute)).toBe(perMinute);
    }
  });

  test('outlives the process [H37]', async () => {
    const { database, clock } = await setUp();
    await takeMany(limit(database, clock, 60), 60);
    expect(await takeMany(limit(database, clock, 60), 1)).toBe(0);
  });

  test('asks the store once for many requests, and not at all for known refusals', async () => {
    const { database, clock } = await setUp();
    let questions = 0;
    const counting: Database = {
      ...database,
      first(statement) {
        questions += 1;
        return database.first(statement);
      },
    };
    const limiter = limit(counting, clock, 600);
    await countAllowed(Array.from({ length: 30 }, () => limiter.take('caller')));
    expect(questions).toBe(1);
    await takeMany(limiter, 570);
    expect(questions).toBe(20);
    await takeMany(limiter, 100);
    expect(questions).toBe(20);
  });

  test('forgets callers who have all their tokens again, and no others', async () => {
    const { database, clock } = await setUp();
    const limiter = limit(database, clock, 60);
    await limiter.take('early');
    clock.advance(50_000);
    await takeMany(limiter, 30);
    clock.advance(20_000);
    const pruner = startWorker(createRateLimitPruner({ database, clock }));
    await clock.whenAsleep();
    await pruner.stop();
    expect(await database.all(sql`SELECT key FROM rate_limits`)).toEqual([{ key: 'caller' }]);
    expect(await takeMany(limit(database, clock, 60), 60)).toBe(50);
  });

  async function setUp() {
    const database = await (await createStore()).open();
    await migrate(database, rateLimitMigrations);
    return { database, clock: createFakeClock() };
  }
});

function limit(database: Database, clock: FakeClock, perMinute: number): RateLimiter {
  return createRateLimiter({ database, clock, name: 'quotes', perMinute });
}

async function countAllowed(takes: Promise<{ isAllowed: boolean }>[]): Promise<number> {
  return (await Promise.all(takes)).filter(({ isAllowed }) => isAllowed).length;
}

/** How many of this many requests were allowed. */
async function takeMany(limiter: RateLimiter, count: number): Promise<number> {
  let allowed = 0;
  for (let n = 0; n < count; n++) if ((await limiter.take('caller')).isAllowed) allowed += 1;
  return allowed;
}
