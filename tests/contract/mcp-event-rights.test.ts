import { describe, expect, onTestFinished, test } from 'vitest';
import type { EventsCaller } from '../../src/events/model/caller.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { eventually } from '../support/eventually.ts';
import { openAuthorizedEvents, subscriber } from '../support/open-authorized-events.ts';
import { orderCreated, startCallback, toOrder } from '../support/open-mcp-events.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';

describe.each(migratedEngines)('the rights to MCP events on $engine', ({ createStore }) => {
  async function open() {
    const world = await openAuthorizedEvents(await (await createStore()).open());
    const { events, clock, call } = world;
    const ticking = setInterval(() => clock.advance(20), 5);
    onTestFinished(() => clearInterval(ticking));
    // After the clock, which has to go on until they have stopped.
    for (const worker of events.workers) startWorker(worker);
    const shop = {
      name: 'shop',
      targets: [{ pattern: '//shop/orders/{order}', eventTypes: [orderCreated] }],
    };
    await call('POST', '/v1/applications', { as: world.operator, body: shop });
    const clientId = await world.newClient();
    const ada = await world.invite('ada');
    const caller: EventsCaller = {
      subject: ada,
      clientId,
      isPerson: true,
      scope: subscriber,
      expiresAt: Number.POSITIVE_INFINITY,
    };
    const { signal } = new AbortController();
    const ask = (method: 'events/subscribe' | 'events/poll', params: object, who = caller) =>
      events.mcp.ask(method, { caller: who, params, signal });
    const statesOf = async () =>
      (
        await world.database.all<{ state: string }>(sql`SELECT state FROM events_subscriptions`)
      ).map(({ state }) => state);
    return { ...world, ada, clientId, caller, ask, statesOf };
  }

  test('a subscription ends with the person, in a terminated body, and so does a lease [M45, M46, M65, M67]', async () => {
    const { ask, allow, ada, clientId, manage, statesOf, events } = await open();
    await allow(ada, { clientId });
    const callback = await startCallback();
    const { id } = (await ask('events/subscribe', toOrder(callback.url))) as { id: string };
    await ask('events/poll', { name: orderCreated });
    expect(await manage('DELETE', `/v1/people/${ada}`)).toMatchObject({ status: 200 });
    await callback.got(1);
    const [one] = callback.delivered;
    expect(JSON.parse(one!.body)).toEqual({
      type: 'terminated',
      error: { code: -32_012, message: 'Forbidden', data: { reason: 'right_withdrawn' } },
    });
    expect(one!.headers['x-mcp-subscription-id']).toBe(id);
    await eventually(async () => expect(await statesOf()).toEqual(['DELETED', 'DELETED']));
    const refused = await ask('events/subscribe', toOrder(callback.url)).catch((error) => error);
    expect(events.mcp.toError(refused)).toMatchObject({ code: -32_012, message: 'Forbidden' });
    expect(callback.delivered).toHaveLength(1);
  });

  test('a removed application ends it as an event that is not there [M45]', async () => {
    const { ask, allow, ada, clientId, call, operator } = await open();
    await allow(ada, { clientId });
    const callback = await startCallback();
    await ask('events/subscribe', toOrder(callback.url));
    expect((await call('DELETE', '/v1/applications/shop', { as: operator })).status).toBe(200);
    await callback.got(1);
    expect(callback.bodies()).toEqual([
      {
        type: 'terminated',
        error: { code: -32_011, message: 'NotFound', data: { kind: 'event' } },
      },
    ]);
  });

  test('arguments have a bound, and so have the subscriptions of a principal, leases included [M68]', async () => {
    const { ask, allow, ada, clientId, events, database, caller } = await open();
    await allow(ada, { clientId });
    const long = { name: orderCreated, arguments: { order: 'x'.repeat(4_100) } };
    const refused = await ask('events/poll', long).catch((error) => error);
    expect(events.mcp.toError(refused)).toMatchObject({ code: -32_602 });
    await ask('events/poll', { name: orderCreated });
    const more = Array.from({ length: 9_999 }, (_, n) => n);
    for (let from = 0; from < more.length; from += 3_333) {
      const ids = more.slice(from, from + 3_333).map((n) => sql`(${`s${n}`})`);
      const rows = ids.reduce((before, row) => sql`${before}, ${row}`);
      await database.run(sql`
        INSERT INTO events_subscriptions (id, uid, principal, client_id, user_id, target_resource, event_types,
          notification_endpoint, options, state, created_at, updated_at, expires_at, revision, mcp_id)
        SELECT column1, column1, principal, client_id, user_id, target_resource, event_types,
          notification_endpoint, options, state, created_at, updated_at, expires_at, 1, column1
        FROM (VALUES ${rows}) AS given, events_subscriptions WHERE principal = ${`${clientId} for ${ada}`}
          AND mcp_id LIKE 'sub_%'`);
    }
    const other = { name: orderCreated, arguments: { order: 'other' } };
    const full = await ask('events/poll', other, caller).catch((error) => error);
    expect(events.mcp.toError(full)).toMatchObject({
      code: -32_013,
      message: 'ResourceExhausted',
      data: { limit: 'too_many_subscriptions', max: 10_000, retryAfterMs: 60_000 },
    });
  });
});
