import { describe, expect, it } from 'vitest';
import { builtInApplications } from '../../src/events/applications/built-in-applications.ts';
import { createApplications } from '../../src/events/applications/create-applications.ts';
import { createCatalogue } from '../../src/events/applications/create-catalogue.ts';
import { applicationMethods } from '../../src/events/http/methods/application-methods.ts';
import type { ServedMethod } from '../../src/events/http/methods/method.ts';
import { EventsError } from '../../src/events/model/events-error.ts';
import { listApplications } from '../../src/events/store/application-store.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { productMigrations } from '../support/product-migrations.ts';
import { migratedEngines } from '../support/test-engines.ts';

const builtIn = builtInApplications({ folders: [], servesChain: () => true });
const crm = {
  name: 'crm',
  targets: [{ pattern: '//crm/deals/{deal}', eventTypes: ['crm.deal.v1.won', 'crm.deal.v1.lost'] }],
  scopes: ['crm.read'],
};

describe.each(migratedEngines)('applications on $engine', ({ createStore }) => {
  async function setUp() {
    const testStore = await createStore();
    const database = await testStore.open();
    await migrate(database, productMigrations);
    const clock = createFakeClock();
    const openApplications = (on: Database) => {
      const readAdded = () => listApplications(on);
      const catalogue = createCatalogue({ readAdded, builtIn, clock });
      return {
        catalogue,
        applications: createApplications({
          database: on,
          catalogue,
          clock,
          suspendAll: async () => {},
        }),
      };
    };
    const { catalogue, applications } = openApplications(database);
    const [create, list, remove] = applicationMethods(applications);
    return {
      post: (body: unknown) => call(create!, { body }),
      list: async () => (await call(list!, {})).applications,
      remove: (name: string) => call(remove!, { name: `applications/${name}` }),
      methods: { create, list, remove },
      catalogue,
      openApplications,
      database,
      clock,
    };
  }

  it('adds an application, lists it beside the built-in ones and removes it [E14.15, E14.16]', async () => {
    const { post, remove, list, catalogue } = await setUp();
    expect(await post(crm)).toEqual({ ...crm, builtIn: false });
    expect(await catalogue.match('//crm/deals/7')).toMatchObject({
      eventTypes: ['crm.deal.v1.won', 'crm.deal.v1.lost'],
    });
    const names = (await list())?.map(({ name }) => name);
    expect(names).toEqual(['chat', 'drive', 'meet', 'swap', 'authorization', 'folder', 'crm']);
    expect(await remove('crm')).toEqual({});
    expect(await catalogue.match('//crm/deals/7')).toBeUndefined();
    await expect(remove('crm')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('shows another process what was added, within a second [E14.15]', async () => {
    const { post, openApplications, database, clock } = await setUp();
    const other = openApplications(database);
    expect(await other.catalogue.applicationOf('crm.deal.v1.won')).toBeUndefined();
    await post(crm);
    clock.advance(1_000);
    expect(await other.catalogue.applicationOf('crm.deal.v1.won')).toMatchObject({ name: 'crm' });
  });

  it('refuses a second one with the same name, service or event type [E14.15]', async () => {
    const { post } = await setUp();
    await post(crm);
    const target = { pattern: '//shop/orders/{order}', eventTypes: ['shop.order.v1.paid'] };
    for (const [clashing, reason] of [
      [crm, 'APPLICATION_EXISTS'],
      [{ name: 'chat', targets: [target], scopes: [] }, 'APPLICATION_EXISTS'],
      [{ name: 'b', targets: [{ ...target, pattern: '//crm/x/{y}' }] }, 'APPLICATION_CLASHES'],
      [
        { name: 'b', targets: [{ ...target, eventTypes: ['crm.deal.v1.won'] }] },
        'APPLICATION_CLASHES',
      ],
    ] as const) {
      await expect(post(clashing)).rejects.toMatchObject({ code: 'ALREADY_EXISTS', reason });
    }
  });

  it('names every field that is wrong [E14.15]', async () => {
    const { post } = await setUp();
    const wrong = {
      name: 'No Name',
      targets: [{ pattern: 'deals', event_types: ['tradewind.swap.price.v1.moved'], color: 'red' }],
      scopes: ['with space'],
      owner: 'me',
    };
    const fields = ['name', 'owner', 'scopes[0]', 'targets[0].color'];
    const error: EventsError = await post(wrong).catch((refused) => refused);
    expect(error.code).toBe('INVALID_ARGUMENT');
    expect(error.fieldViolations.map(({ field }) => field).sort()).toEqual([
      ...fields,
      'targets[0].eventTypes[0]',
      'targets[0].pattern',
    ]);
    for (const body of [null, [], 'x', {}]) {
      await expect(post(body), JSON.stringify(body)).rejects.toBeInstanceOf(EventsError);
    }
  });

  it('keeps a removed application until its subscriptions are suspended [E14.16]', async () => {
    const { post, list, database, clock } = await setUp();
    await post(crm);
    const readAdded = () => listApplications(database);
    const catalogue = createCatalogue({ readAdded, builtIn, clock });
    const suspendAll = async () => {
      throw new Error('the process dies');
    };
    const dying = createApplications({ database, catalogue, clock, suspendAll });
    await expect(dying.remove('crm')).rejects.toThrow('dies');
    expect((await list())?.map(({ name }) => name)).toContain('crm');
  });

  it('refuses to remove a built-in one [E14.16]', async () => {
    const { remove } = await setUp();
    const refused = { code: 'FAILED_PRECONDITION', reason: 'APPLICATION_BUILT_IN' };
    await expect(remove('drive')).rejects.toMatchObject(refused);
  });

  it('lets readers list and only administrators change [E14.15, E14.16]', async () => {
    const { methods } = await setUp();
    expect(methods.create?.method.scopes).toEqual(['admin']);
    expect(methods.remove?.method.scopes).toEqual(['admin']);
    expect(methods.list?.method.scopes).toContain('subscriptions.read');
  });
});

const expiresAt = Number.POSITIVE_INFINITY;

/** Calls a method as the edge does once it has checked the request. */
async function call(
  { answer }: ServedMethod,
  { name = '', body = {} }: { name?: string; body?: unknown },
) {
  const request = new Request('http://localhost/');
  const answered = await answer({
    caller: { subject: 'owner', clientId: 'c', isPerson: true, scope: ['admin'], expiresAt },
    name,
    query: {},
    readBody: async () => body,
    request,
    signal: request.signal,
  });
  return answered as { applications?: { name: string }[] }; // what the tests look at
}
