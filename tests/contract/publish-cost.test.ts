import { expect, test } from 'vitest';
import type { Database } from '../../src/kernel/database/database.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { countQueries, type QueryCount } from '../support/count-queries.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { TestDelivery } from '../support/open-delivery.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { shopOrder } from '../support/shop-order.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';

const [sqlite, postgres] = migratedEngines;
const target = '//shop/orders/1';

const popularTime = 60_000;

type Engine = (typeof migratedEngines)[number];

async function openProcesses({ createStore }: Engine, processes: number) {
  const clock = createFakeClock();
  const store = await createStore();
  const nodes: {
    database: Database;
    delivery: TestDelivery;
    /** Does the work after the answer, whose queries are not counted. */
    later: TestDelivery;
    count: QueryCount;
  }[] = [];
  for (let n = 0; n < processes; n++) {
    const opened = await store.open();
    const { database, count } = countQueries(opened);
    const delivery = await openTestDelivery(database, { clock });
    const later = await openTestDelivery(opened, { clock });
    nodes.push({ database, count, delivery, later });
  }
  const { database } = nodes[0]!;
  return {
    nodes,
    database,
    clock,
    /** Inserts subscriptions to the target that nobody reads. */
    async subscribe(count: number) {
      const ids = sql`
        WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})`;
      await database.run(sql`${ids}
        INSERT INTO events_matches (event_type, target, subscription_id)
        SELECT ${shopOrder('e', target).type}, ${target}, 's' || n FROM counted`);
      await database.run(sql`${ids}
        INSERT INTO events_lanes (subscription_id, uid, principal, endpoint, is_pushed, is_narrow, state)
        SELECT 's' || n, 's' || n, 'p' || n, '{"kind":"eventStream"}', 0, 0, 'ACTIVE' FROM counted`);
    },
    startFanOut: (node: number) => startFanOut(nodes[node]!.later),
    publish: (node: number, ids: readonly string[]) =>
      nodes[node]!.delivery.publisher.publish(ids.map((id) => shopOrder(id, target))),
    /** How many rows were queued, and in how many lanes they are in the order of publication. */
    async queued() {
      const rows = await database.all<{ lane: number; event: number }>(
        sql`SELECT lane, event FROM events_deliveries ORDER BY lane, number`,
      );
      const byLane = Map.groupBy(rows, ({ lane }) => lane);
      const inOrder = [...byLane.values()].filter((events) =>
        events.every(({ event }, index) => event > (events[index - 1]?.event ?? 0)),
      );
      return { rows: rows.length, lanes: inOrder.length };
    },
  };
}

function startFanOut(delivery: TestDelivery): void {
  const workers = delivery.createWorkers({ suspend: async () => {} });
  startWorker(workers.find(({ name }) => name === 'events-fan-out')!);
}

test.each([
  ['sqlite', 1],
  ['postgres', 1],
  ['postgres', 4],
] as const)(
  'an event is answered after as many queries for 10,000 subscribers as for 200, on %s with %i processes [N11, T12]',
  async (engine, processes) => {
    const world = await openProcesses(engine === 'sqlite' ? sqlite : postgres, processes);
    const { nodes, database } = world;
    await world.subscribe(200);
    for (let node = 0; node < processes; node++) world.startFanOut(node);
    const [first] = nodes;
    const countOf = async (id: string) => {
      const before = first!.count.queries;
      const publishing = world.publish(0, [id]);
      await publishing;
      return first!.count.queries - before;
    };
    const few = await countOf('few');
    await eventually(async () => expect(await world.queued()).toEqual({ rows: 200, lanes: 200 }));
    world.clock.advance(popularTime);
    await database.run(sql`DELETE FROM events_matches`);
    await database.run(sql`DELETE FROM events_lanes`);
    await database.run(sql`DELETE FROM events_deliveries`);
    await world.subscribe(10_000);
    const many = await countOf('many');
    // Three queries: store the event, see that it has many subscriptions, and record that it is still to be queued.
    expect([few, many]).toEqual([3, 3]);
    await eventually(async () =>
      expect(await world.queued()).toEqual({ rows: 10_000, lanes: 10_000 }),
    );
  },
);

test('a target that had too many subscriptions is not counted again for a minute [N11, T12]', async () => {
  const world = await openProcesses(sqlite, 1);
  const { count } = world.nodes[0]!;
  await world.subscribe(101);
  const countOf = async (...ids: string[]) => {
    const before = count.queries;
    await world.publish(0, ids);
    return count.queries - before;
  };
  expect([await countOf('e1'), await countOf('e2'), await countOf('e3', 'e4')]).toEqual([3, 2, 2]);
  await world.database.run(sql`DELETE FROM events_matches WHERE subscription_id <> 's1'`);
  world.clock.advance(popularTime - 1);
  expect(await countOf('e5')).toBe(2);
  world.startFanOut(0);
  await eventually(async () => expect(await world.queued()).toEqual({ rows: 5, lanes: 1 }));
  world.clock.advance(1);
  // Its subscription is found again, and the event is queued before the answer.
  expect(await countOf('e6')).toBeGreaterThan(3);
  expect(await world.queued()).toEqual({ rows: 6, lanes: 1 });
});

test.each([sqlite, postgres])(
  'accepted events are queued by whichever process is next, once and in order, on $engine [T12]',
  async (engine) => {
    const world = await openProcesses(engine, engine === postgres ? 2 : 1);
    await world.subscribe(2_500);
    await world.publish(0, ['e1', 'e2']);
    await world.publish(0, ['e3']);
    expect(await world.queued()).toEqual({ rows: 0, lanes: 0 });
    world.nodes.forEach((_, node) => {
      world.startFanOut(node);
    });
    await eventually(async () =>
      expect(await world.queued()).toEqual({ rows: 7_500, lanes: 2_500 }),
    );
  },
);

test.each([sqlite, postgres])(
  'the backlog of one publisher holds up no other, on $engine [T12, N5]',
  async (engine) => {
    const world = await openProcesses(engine, 1);
    await world.subscribe(101);
    const publish = (id: string, principal: string, subject: string) =>
      world.nodes[0]!.delivery.publisher.publish([
        shopOrder(id, subject, { publishedBy: { principal, account: principal } }),
      ]);
    await publish('e1', 'loud', target);
    await world.database.run(sql`
      INSERT INTO events_matches (event_type, target, subscription_id)
      SELECT event_type, '//shop/orders/2', subscription_id FROM events_matches LIMIT 1`);
    await publish('e2', 'loud', '//shop/orders/2');
    expect(await world.queued()).toEqual({ rows: 0, lanes: 0 });
    await publish('e3', 'quiet', '//shop/orders/2');
    expect(await world.queued()).toEqual({ rows: 1, lanes: 1 });
    await publish('e4', 'quiet', target);
    world.startFanOut(0);
    // The lane with e3 gets e1 and e2 after it, in the order in which their publisher sent them.
    await eventually(async () =>
      expect(await world.queued()).toEqual({ rows: 1 + 101 + 1 + 101, lanes: 100 }),
    );
  },
);

test('many events for a subscription each are queued before the answer [T12]', async () => {
  const world = await openProcesses(sqlite, 1);
  await world.subscribe(100);
  await world.database.run(sql`
    UPDATE events_matches SET target = '//shop/orders/' || subscription_id`);
  const events = Array.from({ length: 500 }, (_, n) =>
    shopOrder(`e${n}`, `//shop/orders/s${(n % 100) + 1}`),
  );
  await world.nodes[0]!.delivery.publisher.publish(events);
  expect(await world.queued()).toEqual({ rows: 500, lanes: 100 });
});

test.each([sqlite, postgres])(
  'no transaction queues much more than a thousand deliveries, whatever one request publishes, on $engine [N5]',
  async (engine) => {
    const world = await openProcesses(engine, 1);
    await world.subscribe(90);
    const ids = Array.from({ length: 300 }, (_, n) => `e${n}`);
    await world.publish(0, ids);
    expect(await world.queued()).toEqual({ rows: 0, lanes: 0 });
    const { database } = world;
    const sizes: number[] = [];
    let known = 0;
    const measured: Database = {
      ...database,
      async transaction(work) {
        const result = await database.transaction(work);
        const { rows } = await world.queued();
        sizes.push(rows - known);
        known = rows;
        return result;
      },
    };
    startFanOut(await openTestDelivery(measured));
    await eventually(() => expect(known).toBe(27_000));
    expect(await world.queued()).toEqual({ rows: 27_000, lanes: 90 });
    expect(Math.max(...sizes)).toBeLessThan(1_200);
  },
);

test('a subscription created after the response does not get the event [T12]', async () => {
  const world = await openProcesses(sqlite, 1);
  await world.subscribe(101);
  await world.publish(0, ['e1']);
  await world.database.run(sql`
    INSERT INTO events_lanes (subscription_id, uid, principal, endpoint, is_pushed, is_narrow, state)
    VALUES ('late', 'late', 'late', '{"kind":"eventStream"}', 0, 0, 'ACTIVE')`);
  await world.database.run(sql`
    INSERT INTO events_matches (event_type, target, subscription_id)
    VALUES (${shopOrder('e', target).type}, ${target}, 'late')`);
  world.startFanOut(0);
  await eventually(async () => expect(await world.queued()).toEqual({ rows: 101, lanes: 101 }));
  expect(await world.database.all(sql`SELECT number FROM events_fan_outs`)).toEqual([]);
});
