import { describe, expect, it } from 'vitest';
import { createApplications } from '../../src/events/applications/create-applications.ts';
import { createCatalogue } from '../../src/events/applications/create-catalogue.ts';
import { EventsError } from '../../src/events/events-error.ts';
import { applicationRoutes } from '../../src/events/http/application-routes.ts';
import { createApplicationStore } from '../../src/events/store/application-store.ts';
import { eventsMigrations } from '../../src/events/store/events-migrations.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { testEngines } from '../support/test-engines.ts';

const crm = {
  name: 'crm',
  targets: [{ pattern: '//crm/deals/{deal}', eventTypes: ['crm.deal.v1.won', 'crm.deal.v1.lost'] }],
  scopes: ['crm.read'],
};

describe.each(testEngines)('applications on $engine', ({ createStore }) => {
  async function setUp(scopes = ['admin']) {
    const testStore = await createStore();
    const database = await testStore.open();
    await migrate(database, eventsMigrations);
    const clock = createFakeClock();
    const openApplications = (on: Database) => {
      const store = createApplicationStore(on);
      const catalogue = createCatalogue({ store, folders: [], clock });
      return { catalogue, applications: createApplications({ store, catalogue, clock }) };
    };
    const { catalogue, applications } = openApplications(database);
    const app = applicationRoutes({
      applications,
      async authorize(_request, wanted) {
        if (wanted.some((scope) => scopes.includes(scope))) return;
        throw new EventsError('PERMISSION_DENIED', 'scope', { reason: 'SCOPE' });
      },
    });
    app.onError((error, c) => {
      if (!(error instanceof EventsError)) throw error;
      return c.json({ status: error.code, reason: error.reason, at: error.fieldViolations }, 400);
    });
    const post = (body: unknown) =>
      app.request('/v1/applications', { method: 'POST', body: JSON.stringify(body) });
    const remove = (name: string) => app.request(`/v1/applications/${name}`, { method: 'DELETE' });
    const list = async () => (await toJson(app.request('/v1/applications'))).applications;
    return { app, post, remove, list, catalogue, openApplications, database, clock };
  }

  it('adds an application, lists it beside the built-in ones and removes it [E14.15, E14.16]', async () => {
    const { post, remove, list, catalogue } = await setUp();
    const added = await post(crm);
    expect(added.status).toBe(200);
    expect(await added.json()).toEqual({ ...crm, builtIn: false });
    expect(await catalogue.match('//crm/deals/7')).toMatchObject({
      eventTypes: ['crm.deal.v1.won', 'crm.deal.v1.lost'],
    });
    const names = (await list()).map(({ name }: { name: string }) => name);
    expect(names).toEqual(['chat', 'drive', 'meet', 'swap', 'authorization', 'folder', 'crm']);
    expect(await (await remove('crm')).json()).toEqual({});
    expect(await catalogue.match('//crm/deals/7')).toBeUndefined();
    expect(await (await remove('crm')).json()).toMatchObject({ status: 'NOT_FOUND' });
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
      const answer = await post(clashing);
      expect(await answer.json()).toMatchObject({ status: 'ALREADY_EXISTS', reason });
    }
  });

  it('names every field that is wrong [E14.15]', async () => {
    const { post } = await setUp();
    const answer = await post({
      name: 'No Name',
      targets: [{ pattern: 'deals', event_types: ['tradewind.swap.price.v1.moved'], color: 'red' }],
      scopes: ['with space'],
      owner: 'me',
    });
    const { status, at } = await toJson(answer);
    expect(status).toBe('INVALID_ARGUMENT');
    expect(at.map(({ field }: { field: string }) => field).sort()).toEqual([
      'name',
      'owner',
      'scopes[0]',
      'targets[0].color',
      'targets[0].eventTypes[0]',
      'targets[0].pattern',
    ]);
    for (const body of [null, [], 'x', {}]) {
      expect((await post(body)).status, JSON.stringify(body)).toBe(400);
    }
  });

  it('refuses to remove a built-in one [E14.16]', async () => {
    const { remove } = await setUp();
    const answer = await (await remove('drive')).json();
    expect(answer).toMatchObject({ status: 'FAILED_PRECONDITION', reason: 'APPLICATION_BUILT_IN' });
  });

  it('lets readers list and only administrators change [E14.15, E14.16]', async () => {
    const { post, remove, list } = await setUp(['subscriptions.read']);
    expect(await list()).toHaveLength(6);
    expect(await (await post(crm)).json()).toMatchObject({ status: 'PERMISSION_DENIED' });
    expect(await (await remove('crm')).json()).toMatchObject({ status: 'PERMISSION_DENIED' });
  });
});

/** What the routes answer, of which the tests know the shape. */
async function toJson(answer: Response | Promise<Response>) {
  // biome-ignore lint/suspicious/noExplicitAny: a wrong shape fails the test
  return (await (await answer).json()) as any;
}
