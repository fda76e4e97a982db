import { describe, expect, test } from 'vitest';
import { suspensionReasons } from '../../src/events/model/subscription.ts';
import {
  createTestSubscription as create,
  fileCreated,
  newSubscriptionBody,
  openTestEvents,
} from '../support/open-test-events.ts';
import { migratedEngines } from '../support/test-engines.ts';

const [{ createStore }] = migratedEngines;
const open = async () => openTestEvents(await (await createStore()).open());

const numbers = '$alt=json;enum-encoding=int';
const filter = `filter=${encodeURIComponent(`event_types:"${fileCreated}"`)}`;

test('every method takes $alt, whose formats are those of alt [G1]', async () => {
  const events = await open();
  const { name } = await create(events);
  for (const [method, path, body] of [
    ['GET', `/v1/${name}?`, undefined],
    ['GET', `/v1/subscriptions?${filter}&`, undefined],
    ['GET', '/v1/applications?', undefined],
    ['GET', `/v1/${name}/deliveries?`, undefined],
    ['POST', '/v1/subscriptions?validateOnly=true&', newSubscriptionBody({ ttl: '60s' })],
  ] as const) {
    const as = method === 'POST' ? 'bob' : 'alice';
    for (const alt of ['json', 'json;enum-encoding=int', 'json%3Benum-encoding=int']) {
      const answer = await events.call(method, `${path}$alt=${alt}`, { as, body });
      expect([path, alt, answer.status]).toEqual([path, alt, 200]);
    }
    for (const alt of ['proto', 'media']) {
      const { status, body: told } = await events.call(method, `${path}$alt=${alt}`, { as, body });
      expect([status, told.error.status]).toEqual([501, 'UNIMPLEMENTED']);
      expect(told.error.details[0].metadata).toEqual({ parameter: '$alt', alt });
    }
    for (const alt of ['xml', 'json;enum-encoding=text', 'JSON', '']) {
      const { status, body: told } = await events.call(method, `${path}$alt=${alt}`, { as, body });
      expect([status, told.error.details[0].metadata.fields]).toEqual([400, '$alt']);
    }
  }
});

test('other names with a dollar sign stay refused, and no document declares these [G1, G3]', async () => {
  const events = await open();
  for (const name of ['$fields', '$key', '$prettyprint', '$.alt', '$callback']) {
    const { status, body } = await events.call('GET', `/v1/subscriptions?${filter}&${name}=1`);
    expect([status, body.error.details[0].metadata.fields]).toEqual([400, name]);
  }
  const { body: document } = await events.call('GET', '/$discovery/rest');
  expect(Object.keys(document.parameters)).not.toContain('$alt');
  expect(Object.keys(document.parameters)).not.toContain('$prettyPrint');
});

test('answers hold the numbers of enums, in operations and lists too, if they are asked for [G2]', async () => {
  const events = await open();
  const body = newSubscriptionBody({
    notificationEndpoint: { webhook: { uri: 'http://127.0.0.1:9/', contentMode: 'BATCH' } },
  });
  const created = await events.call('POST', `/v1/subscriptions?${numbers}`, { body });
  expect(created.body.response).toMatchObject({
    '@type': 'type.googleapis.com/google.apps.events.subscriptions.v1.Subscription',
    state: 1,
    notificationEndpoint: { webhook: { contentMode: 2 } },
  });
  const { name } = created.body.response;
  await events.suspend(name, 'ENDPOINT_NOT_FOUND');

  const got = await events.call('GET', `/v1/${name}?${numbers}`);
  expect(got.body).toMatchObject({
    name,
    state: 2,
    suspensionReason: 6,
    eventTypes: [fileCreated],
  });
  const listed = await events.call('GET', `/v1/subscriptions?${filter}&${numbers}`);
  expect(listed.body.subscriptions).toEqual([got.body]);
  const operation = await events.call('GET', `/v1/${created.body.name}?${numbers}`);
  expect(operation.body.response).toMatchObject({ state: 1 });
  const part = await events.call('GET', `/v1/${name}?${numbers}&fields=state,suspensionReason`);
  expect(part.body).toEqual({ state: 2, suspensionReason: 6 });

  const named = await events.call('GET', `/v1/${name}?$alt=json`);
  expect(named.body).toMatchObject({ state: 'SUSPENDED', suspensionReason: 'ENDPOINT_NOT_FOUND' });
  const refused = await events.call('GET', `/v1/subscriptions/none?${numbers}`);
  expect(refused.body.error).toMatchObject({ code: 404, status: 'NOT_FOUND' });
});

const published = {
  USER_SCOPE_REVOKED: 1,
  RESOURCE_DELETED: 2,
  USER_AUTHORIZATION_FAILURE: 3,
  ENDPOINT_PERMISSION_DENIED: 4,
  OTHER: 5,
  ENDPOINT_NOT_FOUND: 6,
  ENDPOINT_RESOURCE_EXHAUSTED: 7,
} as const;

test('a reason without a published number is left out, and none is made up for it [G2]', async () => {
  const events = await open();
  for (const reason of suspensionReasons) {
    const { name } = await create(events, {
      targetResource: `//drive.googleapis.com/files/${reason}`,
    });
    await events.suspend(name, reason);
    const { body } = await events.call('GET', `/v1/${name}?${numbers}`);
    const number = Object.entries(published).find(([known]) => known === reason)?.[1];
    expect([reason, body.state, body.suspensionReason]).toEqual([reason, 2, number]);
    expect('suspensionReason' in body).toBe(number !== undefined);
  }
});

test('requests may hold numbers in the place of names, but none that is not published [G2]', async () => {
  const events = await open();
  const given = (more: object) =>
    events.call('POST', '/v1/subscriptions?validateOnly=true', { body: newSubscriptionBody(more) });
  const webhook = { uri: 'http://127.0.0.1:9/', contentMode: 1 };
  const { body } = await given({
    state: 2,
    suspensionReason: 7,
    notificationEndpoint: { webhook },
  });
  expect(body.response.notificationEndpoint.webhook.contentMode).toBe('STRUCTURED');
  expect(body.response.state).toBe('ACTIVE');
  for (const [field, number] of [
    ['state', 4],
    ['suspensionReason', 8],
    ['suspensionReason', 9],
    ['suspensionReason', -1],
  ] as const) {
    const refused = await given({ [field]: number });
    expect([number, refused.status, refused.body.error.details[0].metadata.fields]).toEqual([
      number,
      400,
      field,
    ]);
  }
});

test('$prettyPrint and prettyPrint take 0, 1, true and false [G3, E7.16]', async () => {
  const events = await open();
  const { name } = await create(events);
  for (const parameter of ['prettyPrint', '$prettyPrint']) {
    for (const [value, lines] of [
      ['0', 1],
      ['false', 1],
      ['1', 2],
      ['true', 2],
    ] as const) {
      for (const path of [`/v1/${name}`, '/v1/subscriptions/none']) {
        const { text } = await events.call('GET', `${path}?${parameter}=${value}`);
        expect([value, Math.min(2, text.trimEnd().split('\n').length)]).toEqual([value, lines]);
      }
    }
    const refused = await events.call('GET', `/v1/${name}?${parameter}=2`);
    expect(refused.body.error.details[0].metadata.fields).toBe(parameter);
  }
});

describe('the methods for agents', () => {
  test.each([
    ['POST', '/v1/message:stream'],
    ['GET', '/v1/tasks/t'],
    ['POST', '/v1/tasks/t:cancel'],
    ['GET', '/v1/tasks/t:subscribe'],
    ['POST', '/v1/tasks/t/pushNotificationConfigs'],
    ['GET', '/v1/tasks/t/pushNotificationConfigs'],
    ['GET', '/v1/tasks/t/pushNotificationConfigs/c'],
    ['DELETE', '/v1/tasks/t/pushNotificationConfigs/c'],
    ['POST', '/v1beta/message:stream'],
  ])('%s %s is not served, and says so [G13]', async (method, path) => {
    const events = await open();
    const { status, body } = await events.call(method, `${path}?$prettyPrint=0`, { as: null });
    expect([status, body.error.code, body.error.status]).toEqual([501, 501, 'UNIMPLEMENTED']);
    expect(body.error.details).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'AGENT_METHODS_NOT_SERVED',
        domain: 'localhost:8787',
        metadata: { path },
      },
    ]);
  });

  test('are not in the discovery document, and paths beside them are not found [G13]', async () => {
    const events = await open();
    const { text } = await events.call('GET', '/$discovery/rest');
    for (const word of ['tasks', 'message:stream', 'pushNotification'])
      expect(text).not.toContain(word);
    for (const path of ['message:send', 'messages:stream', 'tasks', 'tasks/t/u', 'tasks/t:x']) {
      const { status } = await events.call('GET', `/v1/${path}`);
      expect([path, status]).toEqual([path, 404]);
    }
  });
});

describe('the version v1beta', () => {
  const types = 'type.googleapis.com/google.apps.events.subscriptions.v1beta';

  test('has the seven methods, whose operations name its types [G14]', async () => {
    const events = await open();
    const created = await events.call('POST', '/v1beta/subscriptions', {
      body: newSubscriptionBody({ driveOptions: { includeDescendants: true } }),
    });
    expect(created.body).toMatchObject({
      metadata: { '@type': `${types}.CreateSubscriptionMetadata` },
      response: { '@type': `${types}.Subscription`, driveOptions: { includeDescendants: true } },
    });
    const { name } = created.body.response;
    const got = await events.call('GET', `/v1beta/${name}`);
    expect(got.body).toEqual((await events.call('GET', `/v1/${name}`)).body);
    const listed = await events.call('GET', `/v1beta/subscriptions?${filter}&${numbers}`);
    expect(listed.body.subscriptions).toMatchObject([{ name, state: 1 }]);
    const patched = await events.call('PATCH', `/v1beta/${name}?${numbers}`, {
      body: { ttl: '0s' },
    });
    expect(patched.body).toMatchObject({
      metadata: { '@type': `${types}.UpdateSubscriptionMetadata` },
      response: { state: 1 },
    });
    await events.suspend(name);
    const reactivated = await events.call('POST', `/v1beta/${name}:reactivate`);
    expect(reactivated.body.metadata['@type']).toBe(`${types}.ReactivateSubscriptionMetadata`);
    const operation = await events.call('GET', `/v1beta/${created.body.name}`);
    expect(operation.body).toEqual(created.body);
    const plain = await events.call('GET', `/v1/${created.body.name}`);
    expect(plain.text).not.toContain('v1beta');
    const deleted = await events.call('DELETE', `/v1beta/${name}`);
    expect(deleted.body).toMatchObject({
      metadata: { '@type': `${types}.DeleteSubscriptionMetadata` },
      response: { '@type': 'type.googleapis.com/google.protobuf.Empty' },
    });
  });

  test('asks for the same scopes and counts against the same quotas [G14]', async () => {
    const events = await open();
    const path = '/v1beta/subscriptions';
    expect((await events.call('POST', path, { as: null })).status).toBe(401);
    expect((await events.call('POST', path, { as: 'reader', body: {} })).status).toBe(403);
    const statuses = new Set<number>();
    for (let call = 0; call < 101; call += 1) {
      const version = call % 2 === 0 ? 'v1' : 'v1beta';
      statuses.add((await events.call('GET', `/${version}/subscriptions?${filter}`)).status);
    }
    expect([...statuses]).toEqual([200, 429]);
  });

  test('has no additions of this server [G14]', async () => {
    const events = await open();
    const { name } = await create(events);
    for (const path of [
      'applications',
      `${name}/deliveries`,
      `${name}:listen`,
      'monitor/subscriptions',
    ]) {
      const { status } = await events.call('GET', `/v1beta/${path}`);
      expect([path, status]).toEqual([path, 404]);
    }
  });

  test('has a discovery document of its own [G14, E1.8]', async () => {
    const events = await open();
    const { body } = await events.call('GET', '/$discovery/rest?version=v1beta');
    expect(body).toMatchObject({ id: 'workspaceevents:v1beta', version: 'v1beta' });
    const { subscriptions, operations, ...others } = body.resources;
    expect(others).toEqual({});
    expect(Object.keys(subscriptions.methods)).toEqual([
      ...['create', 'get', 'list', 'patch', 'delete', 'reactivate'],
    ]);
    expect(subscriptions.methods.reactivate).toMatchObject({
      id: 'workspaceevents.subscriptions.reactivate',
      path: 'v1beta/{+name}:reactivate',
      flatPath: 'v1beta/subscriptions/{subscriptionsId}:reactivate',
    });
    expect(operations.methods.get.path).toBe('v1beta/{+name}');
    const plain = await events.call('GET', '/$discovery/rest?version=v1');
    expect(plain.text).not.toContain('v1beta');
    const unknown = await events.call('GET', '/$discovery/rest?version=v2');
    expect([unknown.status, unknown.body.error.message]).toEqual([
      404,
      'There is no version v2: ask for v1 or v1beta.',
    ]);
  });
});
