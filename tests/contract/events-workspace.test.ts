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
  const body = some.map((one) => ({
    ...{ specversion: '1.0', id: JSON.stringify(one), source: '//test' },
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

  test('comes to who asks for it, narrowed by the field mask, for 4 hours at most [G10]', async () => {
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
