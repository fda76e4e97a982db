import { describe, expect, test } from 'vitest';
import { replayEvents } from '../../src/events/delivery/replay-events.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { createRateLimiter } from '../../src/kernel/edge/rate-limiter.ts';
import { countQueries } from '../support/count-queries.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { shopOrder } from '../support/shop-order.ts';
import { migratedEngines } from '../support/test-engines.ts';

describe.each(migratedEngines)('a replay on $engine', ({ createStore }) => {
  /** A lane that has delivered the same event under these numbers. */
  const openLane = async (first: number, last: number) => {
    const opened = await (await createStore()).open();
    const { database, count } = countQueries(opened);
    const clock = createFakeClock();
    const delivery = await openTestDelivery(opened, { clock });
    const { subscription } = await delivery.subscribe({});
    const { id: subscriptionId, principal, targetResource } = subscription;
    await delivery.publisher.publish([shopOrder('e1', targetResource)]);
    const fill = sql`
      WITH RECURSIVE counted (n) AS (
        SELECT CAST(${first} AS BIGINT) UNION ALL SELECT n + 1 FROM counted WHERE n < ${last})`;
    await opened.run(sql`DELETE FROM events_deliveries`);
    await opened.run(sql`${fill}
      INSERT INTO events_deliveries (lane, number, event, created_at, is_notice)
      SELECT lane, n, position, 1, 0 FROM counted
      JOIN events_lanes ON subscription_id = ${subscriptionId} JOIN events_published ON position > 0`);
    await opened.run(sql`UPDATE events_lanes SET last_number = ${last}, cursor = ${last}`);
    const replay = (eventIds: readonly string[] | undefined, perMinute: number) => {
      const limiter = createRateLimiter({ database, clock, name: 'replayed', perMinute });
      const options = { ...delivery.monitoring.replay, database, limiter };
      const everything = { eventTypes: undefined, startTime: undefined, endTime: undefined };
      const sightInto = () => () => true;
      const query = { subscriptionId, principal, eventIds, sightInto, ...everything };
      return replayEvents(options, query);
    };
    return { replay, count, clock };
  };

  test('scans ten thousand events at a time, and skips pruned ones [N11]', async () => {
    const { replay, count } = await openLane(990_001, 1_015_000);
    const before = count.transactions;
    expect(await replay(['unknown'], 1_000)).toBe(0);
    expect(count.transactions - before).toBe(3);
  });

  test('replays a limited number in a minute, and reports how many it did [N5]', async () => {
    const { replay, clock } = await openLane(1, 1_600);
    await expect(replay(undefined, 1_000)).rejects.toMatchObject({
      code: 'RESOURCE_EXHAUSTED',
      message: expect.stringMatching(/1500 of these are queued: wait \d+ seconds?/),
    });
    clock.advance(60_000);
    expect(await replay(undefined, 1_000)).toBe(100);
  });
});
