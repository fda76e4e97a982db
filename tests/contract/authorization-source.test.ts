import { describe, expect, it } from 'vitest';
import { builtInApplications } from '../../src/events/applications/built-in-applications.ts';
import { createAuthorizationSource } from '../../src/events/sources/create-sources.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { createInProcessEventBus } from '../../src/kernel/work/event-bus.ts';
import { openOutboxRelay, writeOutbox } from '../../src/kernel/work/outbox.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { queuedEvents } from '../support/queued-events.ts';
import { shopOrder } from '../support/shop-order.ts';
import { startWorker } from '../support/start-worker.ts';
import { createTally } from '../support/tally.ts';
import { migratedEngines } from '../support/test-engines.ts';

const builtIn = builtInApplications({ folders: [], servesChain: () => true });
const types = builtIn
  .find(({ name }) => name === 'authorization')!
  .targets.flatMap(({ eventTypes }) => eventTypes);

describe.each(migratedEngines)('changes of authorization on $engine', ({ createStore }) => {
  async function setUp(masterKey = Buffer.alloc(32, 7)) {
    const database = await (await createStore()).open();
    const clock = createFakeClock();
    const delivery = await openTestDelivery(database, { clock, builtIn });
    const consumer = createAuthorizationSource({ publisher: delivery.publisher, masterKey });
    const handled = createTally();
    const bus = createInProcessEventBus();
    bus.subscribe({
      ...consumer,
      async handle(event, signal) {
        await consumer.handle(event, signal);
        handled.add();
      },
    });
    startWorker(await openOutboxRelay({ database, bus, clock, random: systemRandom }));
    const subscribe = async (targetResource: string) => {
      const eventTypes = [...new Set(types)];
      const principal = `watcher of ${targetResource}`;
      return (await delivery.subscribe({ targetResource, eventTypes, principal })).subscription.id;
    };
    let changes = 0;
    const tell = async (topic: string, payload: object) => {
      await database.transaction((tx) =>
        writeOutbox(tx, { topic, key: 'k', payload: { ...payload, at: 5 }, occurredAt: 5 }),
      );
      changes += 1;
      await handled.reached(changes);
    };
    return { database, delivery, consumer, subscribe, tell };
  }

  it('are published on the client and on the user, each with its type [E14.13]', async () => {
    const { database, subscribe, tell } = await setUp();
    const client = await subscribe('//authorization/clients/app');
    const user = await subscribe('//authorization/users/ada');
    const everyone = await subscribe('//authorization/clients/-');
    const other = await subscribe('//authorization/users/bob');
    await tell('authorization.client-registered', { clientId: 'app' });
    await tell('authorization.grant-created', { clientId: 'app', accountId: 'ada' });
    await tell('authorization.reuse-detected', { clientId: 'app', accountId: 'ada' });
    await tell('authorization.grant-revoked', { clientId: 'app', accountId: 'ada' });
    const onClient = await queuedEvents(database, client);
    expect(onClient.map(({ type }) => type)).toEqual([
      'tradewind.authorization.client.v1.registered',
      'tradewind.authorization.grant.v1.created',
      'tradewind.authorization.token.v1.reuseDetected',
      'tradewind.authorization.grant.v1.revoked',
    ]);
    expect(onClient.map(({ data }) => data)).toEqual([
      { client: { name: 'clients/app', clientId: 'app' } },
      { grant: { name: 'clients/app', clientId: 'app', accountId: 'ada' } },
      { token: { name: 'clients/app', clientId: 'app', accountId: 'ada' } },
      { grant: { name: 'clients/app', clientId: 'app', accountId: 'ada' } },
    ]);
    expect(await queuedEvents(database, everyone)).toEqual(onClient);
    expect(await queuedEvents(database, user)).toMatchObject([
      { subject: '//authorization/users/ada', data: { grant: { name: 'users/ada' } } },
      { data: { token: {} } },
      { data: { grant: {} } },
    ]);
    expect(await queuedEvents(database, other)).toEqual([]);
  });

  it('are published once, even if the bus delivers them twice [E14.13]', async () => {
    const { database, consumer, subscribe } = await setUp();
    const client = await subscribe('//authorization/clients/app');
    const { signal } = new AbortController();
    const event = {
      id: '7',
      topic: 'authorization.client-registered',
      key: 'app',
      payload: { clientId: 'app', at: 5 },
      occurredAt: 5,
    };
    await consumer.handle(event, signal);
    await consumer.handle(event, signal);
    expect(await queuedEvents(database, client)).toHaveLength(1);
  });

  it('have ids that nobody can predict, so that nobody can hide them by using one first [F6]', async () => {
    const grant = { clientId: 'app', accountId: 'ada' };
    const told = async (masterKey: Buffer<ArrayBuffer>) => {
      const world = await setUp(masterKey);
      const client = await world.subscribe('//authorization/clients/app');
      await world.tell('authorization.grant-created', grant);
      const [event] = await queuedEvents(world.database, client);
      return event?.id ?? '';
    };
    const id = await told(Buffer.alloc(32, 1));
    expect(id).not.toContain('grant-created');
    expect(id).not.toBe(await told(Buffer.alloc(32, 2)));

    const { database, delivery, subscribe, tell } = await setUp(Buffer.alloc(32, 1));
    const client = await subscribe('//authorization/clients/app');
    const source = '//authorization/clients/app';
    const publishedBy = { principal: 'mallory', account: 'clients/mallory' };
    const hiding = shopOrder(id, '//shop/orders/1', { source, publishedBy });
    expect((await delivery.publisher.publish([hiding])).accepted).toBe(1);
    await tell('authorization.grant-created', grant);
    expect(await queuedEvents(database, client)).toMatchObject([{ id }]);
  });

  it('name a client by one segment, though its id may be a URL [E14.13]', async () => {
    const { database, subscribe, tell } = await setUp();
    const everyone = await subscribe('//authorization/clients/-');
    await tell('authorization.client-registered', { clientId: 'https://app.example/id.json' });
    expect(await queuedEvents(database, everyone)).toMatchObject([
      { subject: '//authorization/clients/https%3A%2F%2Fapp.example%2Fid.json' },
    ]);
  });
});
