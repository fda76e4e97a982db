import { describe, expect, it } from 'vitest';
import { measureQueues, readQueueMeasures } from '../../src/events/store/queue/measure-store.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { productMigrations } from '../support/product-migrations.ts';
import { migratedEngines } from '../support/test-engines.ts';

describe.each(migratedEngines)('the queues on $engine', ({ createStore }) => {
  it('are measured by how much waits, fails, is suspended and was given up [T5]', async () => {
    const database = await (await createStore()).open();
    await migrate(database, productMigrations);
    const nothing = { queued: 0, failingLanes: 0, suspendedLanes: 0, undelivered: 0 };
    expect(await readQueueMeasures(database)).toMatchObject(nothing);

    const addLane = (id: string, lane: { state?: string; attempts?: number; dueAt?: number }) =>
      database.run(sql`
        INSERT INTO events_lanes (subscription_id, uid, principal, endpoint, is_pushed, is_narrow,
          state, last_number, cursor, due_at, attempts, failing_since)
        VALUES (${id}, ${id}, 'p', '{}', 1, 1, ${lane.state ?? 'ACTIVE'}, 10, 4, ${lane.dueAt ?? null},
          ${lane.attempts ?? 0}, ${lane.attempts ? 900 : null})`);
    await addLane('due', { dueAt: 2_000 });
    await addLane('due later', { dueAt: 3_000 });
    await addLane('failing', { dueAt: 1_000, attempts: 3 });
    await addLane('suspended', { state: 'SUSPENDED' });
    await addLane('idle', {});
    const numberOf = (id: string) =>
      sql`(SELECT lane FROM events_lanes WHERE subscription_id = ${id})`;
    // Two events given up, four held until the lane went on, and those from 9 on held while the lane is suspended.
    await database.run(sql`
      INSERT INTO events_exceptions (lane, first_number, last_number, state, reason)
      VALUES (${numberOf('due')}, 2, 3, 'UNDELIVERED', 'gone'), (${numberOf('idle')}, 1, 4, 'HELD', 'gone'),
        (${numberOf('suspended')}, 9, NULL, 'HELD', 'gone')`);
    expect(await readQueueMeasures(database)).toEqual({
      queued: 18,
      dueSince: 2_000,
      failingLanes: 1,
      failingSince: 900,
      suspendedLanes: 1,
      undelivered: 8,
    });
    expect(await measureQueues(database)).toEqual({
      active: 4,
      failing: 1,
      suspended: 1,
      waiting: 24,
      undelivered: 8,
    });
  });
});
