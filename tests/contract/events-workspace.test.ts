import { describe, expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import {
  type CallOptions,
  createTestSubscription as create,
  messageCreated,
  newSubscriptionBody,
  openTestEvents,
  type TestEvents,
} from '../support/open-test-events.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';

const [{ createStore }] = migratedEngines;
const open = async () => openTestEvents(await (await createStore()).open(), { clock: systemClock });

const ada = '//cloudidentity.googleapis.com/users/ada';
const space = '//chat.googleapis.com/spaces/A';
const memberCreated = 'google.workspace.chat.membership.v1.created';
const spaceRead = 'google.workspace.chat.spaceReadState.v1.updated';
const threadRead = 'google.workspace.chat.threadReadState.v1.updated';
const availability = 'google.workspace.chat.availability.v1.updated';

type Published = { readonly type: string; readonly subject: string; readonly data: object };

async function publish({ call }: TestEvents, ...some: readonly Published[]): Promise<void> {
  const body = some.map((one, n) => ({
    ...{ specversion: '1.0', id: `e${n}`, source: '//test' },
    ...one,
  }));
  const headers = { 'Content-Type': 'application/cloudevents-batch+json' };
  const answer = await call('POST', '/v1/events', { as: 'publisher', body, headers });
  if (answer.status !== 202) throw new Error(answer.text);
}

/** What the stream of a subscription sends, until it has `count` events. */
async function read({ edge }: TestEvents, name: string, count: number, as = 'alice') {
  const headers = { Authorization: `Bearer ${as}` };
  const response = await edge.request(`/v1/${name}:listen`, { headers });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  onTestFinished(() => reader.cancel());
  let text = '';
  const events = () =>
    [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json));
  while (events().length < count) text += (await reader.read()).value ?? '';
  return events();
}

async function refusalOf({ call }: TestEvents, more: object, options: CallOptions = {}) {
  const body = newSubscriptionBody(more);
  const { body: answer } = await call('POST', '/v1/subscriptions', { body, ...options });
  return { ...answer.error, reason: answer.error?.details[0].reason };
}

const spaceState = (user: string, where: string, seen = 'secret') => ({
  spaceReadState: { name: `users/${user}/spaces/${where}/spaceReadState`, lastReadTime: seen },
});

describe('resource data of Drive', () => {
  const file = {
    type: 'google.workspace.drive.file.v3.created',
    subject: '//drive.googleapis.com/files/F',
    data: { file: { id: 'F', mimeType: 'text/plain', name: 'secret', owners: ['secret'] } },
  };
  const drive = { targetResource: file.subject, eventTypes: [file.type] };

  test('comes to who asks for it, narrowed by the field mask, for 4 hours at most [G10, E6.2]', async () => {
    const events = await open();
    const payloadOptions = { includeResource: true, fieldMask: 'file.id,file.mimeType' };
    const tooLong = await refusalOf(events, { ...drive, payloadOptions, ttl: '18000s' });
    expect(tooLong).toMatchObject({ code: 400, message: expect.stringMatching(/ttl .*14400s/) });
    const made = await create(events, { ...drive, payloadOptions });
    expect(made.payloadOptions).toEqual(payloadOptions);
    expect(Date.parse(made.expireTime) - Date.parse(made.createTime)).toBe(4 * 3_600_000);
    await publish(events, file);
    const [event] = await read(events, made.name, 1);
    expect(event.data).toEqual({ file: { id: 'F', mimeType: 'text/plain' } });
  });

  test('stays with its publisher where nobody asks: ids alone are told [G11]', async () => {
    const events = await open();
    const types = [file.type, 'google.workspace.drive.comment.v3.created'];
    const { name } = await create(events, { ...drive, eventTypes: types });
    const comment = { id: 'C', file_id: 'F', content: 'secret' };
    await publish(events, file, { ...file, type: types[1]!, data: { comment } });
    const told = await read(events, name, 2);
    expect(told.map(({ data }) => data)).toEqual([
      { file: { id: 'F' } },
      { comment: { id: 'C', file_id: 'F' } },
    ]);
  });

  test('is not to be had of Meet [G10, E2.5]', async () => {
    const refused = await refusalOf(await open(), {
      targetResource: '//meet.googleapis.com/spaces/s',
      eventTypes: ['google.workspace.meet.conference.v2.started'],
      payloadOptions: { includeResource: true },
    });
    expect(refused).toMatchObject({ code: 400, reason: 'INVALID_FIELDS' });
  });
});

describe('the events of a user', () => {
  test('are memberships and states; what happens in spaces belongs to spaces [G9]', async () => {
    const events = await open();
    const eventTypes = [memberCreated, spaceRead, threadRead, availability];
    await create(events, { targetResource: ada, eventTypes });
    for (const type of ['message.v1.created', 'reaction.v1.created', 'space.v1.updated']) {
      const types = [memberCreated, `google.workspace.chat.${type}`];
      const refused = await refusalOf(events, { targetResource: ada, eventTypes: types });
      expect(refused).toMatchObject({ code: 400, message: expect.stringContaining(type) });
    }
    for (const type of eventTypes.slice(1)) {
      const refused = await refusalOf(events, { targetResource: space, eventTypes: [type] });
      expect(refused).toMatchObject({ code: 400, message: expect.stringContaining(type) });
    }
  });

  test('stay those of a subscription that had others, until it ends [G9]', async () => {
    const events = await open();
    const { name, etag } = await create(events, {
      targetResource: ada,
      eventTypes: [memberCreated],
      notificationEndpoint: { eventStream: {} },
    });
    // As it was stored before users lost the events of spaces.
    const [id, types] = [name.split('/')[1], [messageCreated, memberCreated]];
    const { database, call } = events;
    await database.run(sql`
      UPDATE events_subscriptions SET event_types = ${JSON.stringify(types)} WHERE id = ${id}`);
    await database.run(sql`
      INSERT INTO events_matches (event_type, target, subscription_id)
      VALUES (${messageCreated}, ${ada}, ${id})`);

    const body = { eventTypes: types, ttl: '0s', etag };
    expect((await call('PATCH', `/v1/${name}`, { body })).status).toBe(200);
    const whole = newSubscriptionBody({ targetResource: ada, eventTypes: types });
    const replaced = await call('PATCH', `/v1/${name}?updateMask=*`, { body: whole });
    expect(replaced.body.response.eventTypes).toEqual(types);
    await events.suspend(name);
    expect((await call('POST', `/v1/${name}:reactivate`)).status).toBe(200);
    await publish(events, { type: messageCreated, subject: ada, data: { message: { name: 'm' } } });
    expect((await read(events, name, 1))[0].type).toBe(messageCreated);

    // What is given up is gone.
    const fewer = { eventTypes: [memberCreated] };
    expect((await call('PATCH', `/v1/${name}`, { body: fewer })).status).toBe(200);
    expect((await call('PATCH', `/v1/${name}`, { body: { eventTypes: types } })).status).toBe(400);
  });
});

describe('states in chat', () => {
  test('arrive at their user, by name alone, and are no events of a space [G7, G8]', async () => {
    const events = await open();
    const eventTypes = [spaceRead, threadRead, availability];
    const { name } = await create(events, { targetResource: ada, eventTypes });
    const thread = 'users/ada/spaces/A/threads/T/threadReadState';
    const presence = { name: 'users/ada/availability', state: 'secret' };
    await publish(
      events,
      { type: spaceRead, subject: ada, data: spaceState('ada', 'A') },
      { type: threadRead, subject: ada, data: { threadReadState: { name: thread } } },
      { type: availability, subject: ada, data: { availability: presence } },
      // Of another user, and under its own name, which no user target covers.
      { type: spaceRead, subject: `${ada}2`, data: spaceState('ada2', 'A') },
      {
        type: spaceRead,
        subject: '//chat.googleapis.com/users/ada/spaces/B/spaceReadState',
        data: spaceState('ada', 'B'),
      },
      { type: spaceRead, subject: ada, data: spaceState('ada', 'C') },
    );
    const told = await read(events, name, 4);
    expect(told.map(({ type, subject, data }) => [type, subject, data])).toEqual([
      [spaceRead, ada, { spaceReadState: { name: 'users/ada/spaces/A/spaceReadState' } }],
      [threadRead, ada, { threadReadState: { name: thread } }],
      [availability, ada, { availability: { name: 'users/ada/availability' } }],
      [spaceRead, ada, { spaceReadState: { name: 'users/ada/spaces/C/spaceReadState' } }],
    ]);
  });

  test.each([
    ['before the answer', 100],
    ['after it', 0],
  ])(
    'published as a batch event arrive as one at subscribers of the base type, queued %s [G7, E10.7]',
    async (_, subscribersAtOnce) => {
      const database = await (await createStore()).open();
      const events = await openTestEvents(database, { clock: systemClock, subscribersAtOnce });
      for (const worker of events.events.workers) {
        if (worker.name === 'events-fan-out') startWorker(worker);
      }
      const batch = 'google.workspace.chat.spaceReadState.v1.batchUpdated';
      const target = { targetResource: ada, eventTypes: [spaceRead] };
      expect(await refusalOf(events, { ...target, eventTypes: [batch] })).toMatchObject({
        code: 400,
        message: expect.stringContaining(`list ${spaceRead} instead`),
      });
      const { name } = await create(events, target);
      const both = [spaceState('ada', 'A'), spaceState('ada', 'B')];
      await publish(events, { type: batch, subject: ada, data: { spaceReadStates: both } });
      const [event, ...more] = await read(events, name, 1);
      expect(event).toMatchObject({ type: batch, subject: ada });
      expect(event.data.spaceReadStates).toEqual([
        { spaceReadState: { name: 'users/ada/spaces/A/spaceReadState' } },
        { spaceReadState: { name: 'users/ada/spaces/B/spaceReadState' } },
      ]);
      expect(more).toEqual([]);
    },
  );
});

test('a topic that is malformed is refused with the reason of Google, where nothing else is wrong [G15]', async () => {
  const events = await open();
  const notificationEndpoint = { pubsubTopic: 'changes' };
  const refused = await refusalOf(events, { notificationEndpoint });
  expect(refused).toMatchObject({ code: 400, reason: 'INVALID_PUBSUB_TOPIC' });
  expect(refused.details[1].fieldViolations).toHaveLength(1);
  const both = await refusalOf(events, { notificationEndpoint, ttl: '1s' });
  expect(both).toMatchObject({ code: 400, reason: 'INVALID_FIELDS' });
});

describe.each(migratedEngines)('the customer, on $engine', ({ createStore: createEngineStore }) => {
  const openOn = async () =>
    openTestEvents(await (await createEngineStore()).open(), { clock: systemClock });
  const alias = '//admin.googleapis.com/customers/my_customer';
  const id = '//admin.googleapis.com/customers/C0123abc';
  const eventTypes = [messageCreated, memberCreated, spaceRead];
  const wanted = { targetResource: alias, eventTypes };
  const asWarden = { as: 'warden' };
  const listed = async (events: TestEvents, target: string, as: string) => {
    const filter = `event_types:"${messageCreated}" AND target_resource="${target}"`;
    const path = `/v1/subscriptions?filter=${encodeURIComponent(filter)}`;
    const { body } = await events.call('GET', path, { as });
    return (body.subscriptions ?? []).map(({ name }: { name: string }) => name);
  };

  test('has the events of every space and user, each once [G4, G7]', async () => {
    const events = await openOn();
    const made = await create(events, wanted, asWarden);
    expect(made).toMatchObject({
      targetResource: alias,
      serviceAccountAuthority: 'projects/warden/serviceAccounts/warden',
    });
    expect(made).not.toHaveProperty('authority');
    expect(made).not.toHaveProperty('userAuthority');
    const said = (where: string) => ({
      type: messageCreated,
      subject: `//chat.googleapis.com/spaces/${where}/messages/1`,
      data: { message: { name: `spaces/${where}/messages/1`, text: 'secret' } },
    });
    const ownName = '//chat.googleapis.com/users/ada/spaces/B/spaceReadState';
    const published = [
      said('A'),
      said('B'),
      { type: memberCreated, subject: ada, data: { membership: { name: 'spaces/A/members/ada' } } },
      { type: spaceRead, subject: ada, data: spaceState('ada', 'A') },
      { type: spaceRead, subject: ownName, data: spaceState('ada', 'B') },
    ];
    await publish(events, ...published);
    const told = await read(events, made.name, 5, 'warden');
    expect(told.map(({ type, subject }) => [type, subject])).toEqual(
      published.map(({ type, subject }) => [type, subject]),
    );
    expect(JSON.stringify(told)).not.toContain('secret');
  });

  test('has all types of chat but availability, and those of no other application [G4, G8]', async () => {
    const events = await openOn();
    for (const type of [availability, 'google.workspace.meet.conference.v2.started']) {
      const refused = await refusalOf(events, { ...wanted, eventTypes: [type] }, asWarden);
      expect(refused).toMatchObject({ code: 400, message: expect.stringContaining(type) });
    }
    for (const target of [
      'customers/-',
      'customers/my_customer/x',
      'customers/c0',
      'customers/C',
      'orgs/C0',
    ]) {
      const targetResource = `//admin.googleapis.com/${target}`;
      const refused = await refusalOf(events, { ...wanted, targetResource }, asWarden);
      expect([target, refused.code]).toEqual([target, 400]);
    }
  });

  test('is for clients that act for themselves, with the scope that an admin gives [G5, G15]', async () => {
    const events = await openOn();
    for (const as of ['alice', 'operator', 'warden-in-person']) {
      for (const body of [wanted, { target_resource: id, targetResource: undefined, eventTypes }]) {
        expect(await refusalOf(events, body, { as })).toMatchObject({
          code: 403,
          status: 'PERMISSION_DENIED',
          reason: 'TARGET_RESOURCE_ACCESS_DENIED',
        });
      }
    }
    // Before anything else is said of the request.
    const wrong = { ...wanted, eventTypes: ['unknown.type.v1.done'], ttl: '1s' };
    expect((await refusalOf(events, wrong)).code).toBe(403);
    for (const as of ['robot', 'warden-with-less']) {
      expect(await refusalOf(events, wanted, { as })).toMatchObject({
        code: 403,
        reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
        details: [{ metadata: { scopes: 'subscriptions.customer', what: alias } }],
      });
    }
    const rehearsed = await events.call('POST', '/v1/subscriptions?validateOnly=true', {
      ...asWarden,
      body: newSubscriptionBody(wanted),
    });
    expect(rehearsed.status).toBe(200);
  });

  test('is out of reach of a token of the same client without the scope [G5]', async () => {
    const events = await openOn();
    const { name } = await create(events, wanted, asWarden);
    await publish(events, {
      type: messageCreated,
      subject: space,
      data: { message: { name: 'm' } },
    });
    for (const [method, path, body] of [
      ['GET', `/v1/${name}`],
      ['GET', `/v1/${name}:listen`],
      ['GET', `/v1/${name}/deliveries`],
      ['POST', `/v1/${name}:replay`, {}],
      ['PATCH', `/v1/${name}`, { ttl: '0s' }],
      ['DELETE', `/v1/${name}`],
      ['GET', `/v1/monitor/${name}`],
    ] as const) {
      const { status } = await events.call(method, path, { as: 'warden-with-less', body });
      expect([path, status]).toEqual([path, 403]);
    }
    const seen = async (as: string) =>
      (await events.call('GET', '/v1/monitor/subscriptions', { as })).body.subscriptions.length;
    expect([await seen('warden'), await seen('warden-with-less')]).toEqual([1, 0]);
    // Whoever may look after everything may look after this.
    expect((await events.call('GET', `/v1/monitor/${name}`, { as: 'operator' })).status).toBe(200);
  });

  test('is one, by whatever id, and is told as it was spelled [G6]', async () => {
    const events = await openOn();
    const { name, etag, ...first } = await create(
      events,
      { ...wanted, targetResource: id },
      asWarden,
    );
    expect(first.targetResource).toBe(id);
    for (const targetResource of [alias, id, '//admin.googleapis.com/customers/C0999']) {
      const refused = await refusalOf(events, { ...wanted, targetResource }, asWarden);
      expect(refused).toMatchObject({ code: 409, status: 'ALREADY_EXISTS' });
      expect(refused.details[0].metadata.name).toBe(name);
      expect(await listed(events, targetResource, 'warden')).toEqual([name]);
      expect(await listed(events, targetResource, 'robot')).toEqual([]);
    }
    const body = newSubscriptionBody(wanted);
    const replaced = await events.call('PATCH', `/v1/${name}?updateMask=*`, { ...asWarden, body });
    expect([replaced.status, replaced.body.response?.targetResource]).toEqual([200, id]);
    await events.call('DELETE', `/v1/${name}`, asWarden);
    expect((await create(events, wanted, asWarden)).targetResource).toBe(alias);
  });

  test('is one for two requests at the same time, each with a spelling of its own [G6]', async () => {
    const events = await openOn();
    const answers = await Promise.all(
      [alias, id].map((targetResource) =>
        events.call('POST', '/v1/subscriptions', {
          ...asWarden,
          body: newSubscriptionBody({ ...wanted, targetResource }),
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

test('a client that loses the scope of the customer loses its subscription to it [G5, E2.32]', async () => {
  let held = ['subscriptions.read', 'subscriptions.write', 'subscriptions.customer'];
  const events = await openTestEvents(await (await createStore()).open(), {
    clock: systemClock,
    heldScopes: async () => held,
  });
  const targetResource = '//admin.googleapis.com/customers/my_customer';
  const options = { as: 'warden' };
  const ofAll = await create(events, { targetResource, eventTypes: [messageCreated] }, options);
  const ofOne = await create(
    events,
    { targetResource: space, eventTypes: [messageCreated] },
    options,
  );
  held = ['subscriptions.read', 'subscriptions.write'];
  const narrowed = {
    id: 'narrowed',
    topic: 'authorization.client-narrowed',
    key: 'warden',
    payload: { clientId: 'warden', stillHeld: held },
    occurredAt: events.clock.now(),
  };
  await events.bus.deliver('events.grant-withdrawal', narrowed, AbortSignal.timeout(10_000));
  const state = async ({ name }: { name: string }) =>
    (await events.call('GET', `/v1/${name}`, options)).body;
  expect(await state(ofAll)).toMatchObject({
    state: 'SUSPENDED',
    suspensionReason: 'APP_SCOPE_REVOKED',
  });
  expect(await state(ofOne)).toMatchObject({ state: 'ACTIVE' });
  const again = await events.call('POST', `/v1/${ofAll.name}:reactivate`, options);
  expect(again.body.error.status).toBe('FAILED_PRECONDITION');
  held = [...held, 'subscriptions.customer'];
  expect((await events.call('POST', `/v1/${ofAll.name}:reactivate`, options)).status).toBe(200);
});
