import { describe, expect, test } from 'vitest';
import type { EndpointProblem } from '../../src/events/delivery/endpoints/endpoint.ts';
import type { SubscriptionId } from '../../src/events/model/subscription.ts';
import { findSubscription } from '../../src/events/store/subscription-store.ts';
import { createSubscription } from '../../src/events/subscriptions/create-subscription.ts';
import { deleteSubscription } from '../../src/events/subscriptions/delete-subscription.ts';
import { getSubscription } from '../../src/events/subscriptions/get-subscription.ts';
import { createMomentWorker } from '../../src/events/subscriptions/lifecycle/create-moment-worker.ts';
import { suspendSubscription } from '../../src/events/subscriptions/lifecycle/suspend-subscription.ts';
import { createOperationPruner, getOperation } from '../../src/events/subscriptions/operations.ts';
import { patchSubscription } from '../../src/events/subscriptions/patch-subscription.ts';
import { reactivateSubscription } from '../../src/events/subscriptions/reactivate-subscription.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { openSubscriptions } from '../support/open-subscriptions.ts';
import { fileCreated, newSubscriptionBody, testCallers } from '../support/open-test-events.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { whenNoWorkIsDue } from '../support/work-left.ts';

const hour = 3_600_000;
const day = 24 * hour;
const caller = testCallers.alice!;
const denied: EndpointProblem = {
  status: 'PERMISSION_DENIED',
  reason: 'WEBHOOK_NOT_AGREED',
  message: 'The webhook does not agree.',
  suspensionReason: 'ENDPOINT_PERMISSION_DENIED',
};

type World = Awaited<ReturnType<typeof openSubscriptions>>;

async function create({ context }: World, more: object = {}) {
  const operation = await createSubscription(context, { caller, body: newSubscriptionBody(more) });
  return operation.response as { name: string; expireTime: string; uid: string };
}

describe.each(migratedEngines)('the moments of a subscription on $engine', ({ createStore }) => {
  const open = async () => openSubscriptions(await (await createStore()).open());

  /** Runs the worker while the clock advances, and returns the events that were published. */
  async function collect(world: World, milliseconds: number) {
    const { context, clock, told } = world;
    const { stop } = startWorker(createMomentWorker(context));
    await clock.whenAsleep();
    clock.advance(milliseconds);
    await whenNoWorkIsDue(context.database, clock.now());
    await stop();
    return told.splice(0);
  }

  /** The same, but returns only the last word of each event type. */
  async function pass(world: World, milliseconds: number) {
    return (await collect(world, milliseconds)).map(({ type }) => type.split('.').at(-1));
  }

  test('are two reminders and the end [E5.6, E5.7, E10.8, E10.9]', async () => {
    const world = await open();
    const { context, told, calls } = world;
    const { name, expireTime, uid } = await create(world);
    expect(await pass(world, 6 * day + 11 * hour)).toEqual([]);
    expect(await pass(world, hour)).toEqual(['expirationReminder']);
    expect(await pass(world, 11 * hour)).toEqual(['expirationReminder']);
    expect((await getSubscription(context, { caller, name })).state).toBe('ACTIVE');
    const { stop } = startWorker(createMomentWorker(context));
    await world.clock.whenAsleep();
    world.clock.advance(hour);
    await whenNoWorkIsDue(context.database, world.clock.now());
    await stop();
    const source = `//localhost:8787/${name}`;
    expect(told).toEqual([
      {
        id: expect.stringContaining(uid),
        source,
        subject: source,
        type: 'google.workspace.events.subscription.v1.expired',
        occurredAt: world.clock.now(),
        data: { subscription: { name, expire_time: expireTime } },
      },
    ]);
    expect(calls.slice(-2)).toEqual(['enqueue expired', 'finish']);
    for (const ask of [
      () => getSubscription(context, { caller, name }),
      () => patchSubscription(context, { caller, name, body: { ttl: '3600s' } }),
      () => reactivateSubscription(context, { caller, name }),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    const row = await findSubscription(context.database, uid);
    expect(row?.state).toBe('DELETED');
    expect(await context.database.all(sql`SELECT * FROM events_matches`)).toEqual([]);
    expect(await context.database.all(sql`SELECT * FROM work`)).toEqual([]);
  });

  test('that lie before its creation are skipped [E5.9]', async () => {
    const world = await open();
    await create(world, { ttl: '14400s' });
    expect(await pass(world, 3 * hour - 1)).toEqual([]);
    expect(await pass(world, 1)).toEqual(['expirationReminder']);
    expect(await pass(world, hour)).toEqual(['expired']);
  });

  test('are armed anew by a renewal, and each reminder has an id of its own [E3.27, E5.6]', async () => {
    const world = await open();
    const { name } = await create(world, { ttl: '86400s' });
    const ids = new Set<string>();
    const addIds = async (milliseconds: number) => {
      for (const { id } of await collect(world, milliseconds)) ids.add(id);
    };
    await addIds(12 * hour);
    expect(ids.size).toBe(1);
    await patchSubscription(world.context, { caller, name, body: { ttl: '86400s' } });
    await addIds(12 * hour);
    expect(ids.size).toBe(2);
    await addIds(11 * hour);
    expect(ids.size).toBe(3);
  });

  test('find a suspended subscription too, but not one that was deleted [E5.6, E5.7, E5.8]', async () => {
    const world = await open();
    const { context, calls, told } = world;
    const kept = await create(world, { ttl: '7200s' });
    const id = kept.name.split('/')[1] as SubscriptionId;
    await suspendSubscription(context, { id, reason: 'OTHER' });
    told.splice(0);
    const other = await create(world, {
      ttl: '7200s',
      targetResource: '//drive.googleapis.com/files/2',
    });
    await deleteSubscription(context, { caller, name: other.name });
    expect(calls.at(-1)).toBe('remove');
    expect(await pass(world, hour)).toEqual(['expirationReminder']);
    expect(await pass(world, hour)).toEqual(['expired']);
  });

  test('that were missed during a pause give one reminder, or only the end [E5.6, E5.7]', async () => {
    const world = await open();
    await create(world, { ttl: '172800s' });
    expect(await pass(world, 47 * hour + 1)).toEqual(['expirationReminder']);
    await create(world, { targetResource: '//drive.googleapis.com/files/2' });
    expect(await pass(world, 8 * day)).toEqual(['expired', 'expired']);
  });

  test('report a suspension once, with its reason [E2.15, E5.3, E5.4, E10.9]', async () => {
    const world = await open();
    const { context, told, calls } = world;
    const { name } = await create(world);
    const id = name.split('/')[1] as SubscriptionId;
    const suspending = [1, 2, 3].map(() =>
      suspendSubscription(context, { id, reason: 'ENDPOINT_NOT_FOUND' }),
    );
    expect((await Promise.all(suspending)).filter(Boolean)).toHaveLength(1);
    expect(await suspendSubscription(context, { id, reason: 'OTHER' })).toBe(false);
    expect(told).toMatchObject([
      {
        type: 'google.workspace.events.subscription.v1.suspended',
        data: { subscription: { name, suspension_reason: 'ENDPOINT_NOT_FOUND' } },
      },
    ]);
    expect(calls.slice(-2)).toEqual(['hold', 'enqueue suspended']);
    await reactivateSubscription(context, { caller, name });
    expect(calls.at(-1)).toBe('resume');
  });

  test('change nothing when their transaction fails [E5.11]', async () => {
    const world = await open();
    const { context } = world;
    const { name } = await create(world);
    const id = name.split('/')[1] as SubscriptionId;
    const before = await findSubscription(context.database, id);
    const failing = {
      ...context,
      queues: { ...context.queues, enqueue: () => Promise.reject(new Error('no queue')) },
    };
    await expect(suspendSubscription(failing, { id, reason: 'OTHER' })).rejects.toThrow('no queue');
    expect(await findSubscription(context.database, id)).toEqual(before);
  });

  test('end with operations that are forgotten after 30 days [E3.38]', async () => {
    const world = await open();
    const { context, clock } = world;
    const { name } = await create(world);
    await deleteSubscription(context, { caller, name });
    await create(world);
    clock.advance(30 * day + 1);
    await create(world, { targetResource: '//drive.googleapis.com/files/2' });
    const { stop } = startWorker(createOperationPruner(context));
    await clock.whenAsleep();
    await stop();
    const count = async (table: 'operations' | 'subscriptions') =>
      (
        await context.database.all(
          table === 'operations'
            ? sql`SELECT name FROM events_operations`
            : sql`SELECT id FROM events_subscriptions`,
        )
      ).length;
    expect(await count('operations')).toBe(1);
    expect(await count('subscriptions')).toBe(2);
  });
});

describe.each(migratedEngines)('operations on $engine', ({ createStore }) => {
  const open = async () => openSubscriptions(await (await createStore()).open());

  test.each([
    [{ mostOfPrincipal: 3, mostOfAll: 10 }, ['1', '2', '3', '7', '8', '9'], 6],
    [{ mostOfPrincipal: 10, mostOfAll: 2 }, ['8', '9'], 2],
  ])(
    'are kept up to a number per principal and in total, with the subscriptions that they ended: %o [N5]',
    async (bounds, operations, ended) => {
      const { context, clock } = await open();
      const { database } = context;
      for (let n = 1; n <= 9; n++) {
        await database.run(sql`
        INSERT INTO events_operations (name, principal, kind, subscription_id, created_at)
        VALUES (${String(n)}, ${n <= 3 ? 'few' : 'many'}, 'Delete', ${String(n)}, ${clock.now() + n})`);
        await database.run(sql`
        INSERT INTO events_subscriptions (id, uid, principal, client_id, target_resource, event_types,
          notification_endpoint, state, created_at, updated_at, expires_at, revision)
        VALUES (${String(n)}, ${String(n)}, 'many', 'app', ${`//${n}`}, '[]', '{}', ${n <= 6 ? 'DELETED' : 'ACTIVE'},
          0, ${clock.now() + n}, 0, 1)`);
      }
      const { stop } = startWorker(createOperationPruner({ ...context, ...bounds }));
      await clock.whenAsleep();
      await stop();
      const names = await database.all<{ name: string }>(
        sql`SELECT name FROM events_operations ORDER BY name`,
      );
      expect(names.map(({ name }) => name)).toEqual(operations);
      const gone = await database.all(
        sql`SELECT id FROM events_subscriptions WHERE state = 'DELETED'`,
      );
      expect(gone.length).toBe(ended);
    },
  );

  test('run on where the endpoint is slow to agree [E4.1, E4.2, E4.3, E3.37]', async () => {
    const world = await open();
    const { context, clock } = world;
    const agreeing = Promise.withResolvers<undefined>();
    world.checkBy(() => agreeing.promise);
    const answering = createSubscription(context, { caller, body: newSubscriptionBody() });
    await clock.whenAsleep();
    clock.advance(5_000);
    const begun = await answering;
    expect(begun).toEqual({
      name: expect.stringMatching(/^operations\//),
      metadata: { '@type': expect.stringMatching(/v1\.CreateSubscriptionMetadata$/) },
      done: false,
    });
    const name = begun.name!;
    expect(await getOperation(context, { caller, name })).toEqual(begun);
    agreeing.resolve(undefined);
    await context.background.close();
    const done = await getOperation(context, { caller, name });
    expect(done).toMatchObject({
      done: true,
      response: { state: 'ACTIVE', eventTypes: [fileCreated] },
    });
    expect(done).not.toHaveProperty('error');
  });

  test('contain errors that occur while they run, and earlier errors fail the request [E4.3, E4.4, E4.5, E14.24]', async () => {
    const world = await open();
    const { context, clock } = world;
    world.checkBy(async () => denied);
    const body = newSubscriptionBody();
    await expect(createSubscription(context, { caller, body })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      reason: 'WEBHOOK_NOT_AGREED',
    });
    const checking = Promise.withResolvers<EndpointProblem>();
    world.checkBy(() => checking.promise);
    const answering = createSubscription(context, { caller, body });
    await clock.whenAsleep();
    clock.advance(5_000);
    const name = (await answering).name!;
    checking.resolve(denied);
    await context.background.close();
    expect(await getOperation(context, { caller, name })).toEqual({
      name,
      metadata: expect.anything(),
      done: true,
      error: {
        code: 7,
        message: denied.message,
        details: [
          expect.objectContaining({ reason: 'WEBHOOK_NOT_AGREED', domain: 'localhost:8787' }),
        ],
      },
    });
    expect(world.failures).toEqual([]);
  });

  test('of a dead process fail as UNAVAILABLE [E4.3, E4.4]', async () => {
    const world = await open();
    const { context, clock } = world;
    world.checkBy(() => new Promise(() => {}));
    const answering = createSubscription(
      { ...context, background: { ...context.background, follow: () => {} } },
      { caller, body: newSubscriptionBody() },
    );
    await clock.whenAsleep();
    clock.advance(5_000);
    const name = (await answering).name!;
    clock.advance(60_001);
    expect(await getOperation(context, { caller, name })).toMatchObject({
      done: true,
      error: { code: 14 },
    });
  });

  test('of reactivate name each error that is still there [E2.28, E2.30, E2.31, E3.33, E3.34]', async () => {
    const world = await open();
    const { context } = world;
    const { name } = await create(world);
    const id = name.split('/')[1] as SubscriptionId;
    await suspendSubscription(context, { id, reason: 'ENDPOINT_NOT_FOUND' });
    const withoutTarget = {
      ...context,
      catalogue: { ...context.catalogue, match: async () => undefined },
    };
    world.checkBy(async () => denied);
    await expect(reactivateSubscription(withoutTarget, { caller, name })).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      preconditionViolations: [
        { type: 'RESOURCE_DELETED', subject: '//drive.googleapis.com/files/f1' },
        { type: 'ENDPOINT_PERMISSION_DENIED', subject: 'notificationEndpoint' },
      ],
    });
    expect((await getSubscription(context, { caller, name })).suspensionReason).toBe(
      'ENDPOINT_NOT_FOUND',
    );
    world.checkBy(async () => undefined);
    await reactivateSubscription(context, { caller, name });
    expect((await getSubscription(context, { caller, name })).state).toBe('ACTIVE');
  });
});
