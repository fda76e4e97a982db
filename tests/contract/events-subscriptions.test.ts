import { describe, expect, test } from 'vitest';
import { suspensionReasons } from '../../src/events/model/subscription.ts';
import {
  createTestSubscription as create,
  fileCreated,
  fileDeleted,
  messageCreated,
  newSubscriptionBody,
  openTestEvents,
  type TestEvents,
} from '../support/open-test-events.ts';
import { migratedEngines } from '../support/test-engines.ts';

const hour = 3_600_000;
const day = 24 * hour;
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
type Answer = { status: number; body: any };

/** Expects an answer with this status and, if given, violations of these fields. */
function expectRefusal({ status, body }: Answer, code: string, fields?: string[]) {
  expect({ status: body.error?.status, http: status }).toEqual({
    status: code,
    http: {
      INVALID_ARGUMENT: 400,
      FAILED_PRECONDITION: 400,
      NOT_FOUND: 404,
      ABORTED: 409,
      ALREADY_EXISTS: 409,
      PERMISSION_DENIED: 403,
    }[code],
  });
  if (fields === undefined) return;
  const violations = body.error.details.find((one: object) => 'fieldViolations' in one);
  expect(violations.fieldViolations.map(({ field }: { field: string }) => field)).toEqual(fields);
}

const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');
const listing = (filter: string, more = '') =>
  `/v1/subscriptions?filter=${encodeURIComponent(filter)}${more}`;
const ofType = (type: string) => `event_types:"${type}"`;

describe.each(migratedEngines)('subscriptions on $engine', ({ createStore }) => {
  const open = async () => openTestEvents(await (await createStore()).open());

  test('are created ACTIVE, with everything the server sets [E1.12, E2.1, E2.2, E2.7, E2.8, E2.9, E2.11, E2.14, E2.17, E2.24, E3.1, E5.1, E6.1, E6.3]', async () => {
    const events = await open();
    const { status, body } = await events.call('POST', '/v1/subscriptions', {
      body: newSubscriptionBody({ name: 'subscriptions/mine', state: 'SUSPENDED', uid: 'mine' }),
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      name: expect.stringMatching(/^operations\/\w+$/),
      metadata: {
        '@type':
          'type.googleapis.com/google.apps.events.subscriptions.v1.CreateSubscriptionMetadata',
      },
      done: true,
      response: {
        '@type': 'type.googleapis.com/google.apps.events.subscriptions.v1.Subscription',
        name: expect.stringMatching(/^subscriptions\/[^:/]+$/),
        uid: expect.stringMatching(uuid4),
        targetResource: '//drive.googleapis.com/files/f1',
        eventTypes: [fileCreated],
        notificationEndpoint: { eventStream: {} },
        state: 'ACTIVE',
        authority: 'users/alice',
        userAuthority: 'users/alice',
        createTime: iso(events.clock.now()),
        updateTime: iso(events.clock.now()),
        expireTime: iso(events.clock.now() + 7 * day),
        etag: expect.stringMatching(/^".+"$/),
      },
    });
    const { '@type': _type, ...subscription } = body.response;
    expect((await events.call('GET', `/v1/${subscription.name}`)).body).toEqual(subscription);
    expect((await events.call('GET', `/v1/subscriptions/${subscription.uid}`)).body).toEqual(
      subscription,
    );
  });

  test('of a client for itself name the client and no user [E2.8, E2.18]', async () => {
    const events = await open();
    const made = await create(events, {}, { as: 'robot' });
    expect(made.serviceAccountAuthority).toBe('projects/robot/serviceAccounts/robot');
    expect(made).not.toHaveProperty('authority');
    expect(made).not.toHaveProperty('userAuthority');
  });

  test('need a target that the catalogue has [E2.3, E6.14, E14.9]', async () => {
    const events = await open();
    for (const targetResource of [
      undefined,
      '',
      'drive/files/f',
      '//drive.googleapis.com',
      '//drive.googleapis.com/folders/f',
      '//unknown/things/1',
      `//drive.googleapis.com/files/${'x'.repeat(1_024)}`,
    ]) {
      const answer = await events.call('POST', '/v1/subscriptions', {
        body: newSubscriptionBody({ targetResource }),
      });
      expectRefusal(answer, 'INVALID_ARGUMENT', ['targetResource']);
    }
  });

  test('need event types that the target has, in any order and number up to 100 [E2.4, E6.13]', async () => {
    const events = await open();
    const attempt = (eventTypes: unknown) =>
      events.call('POST', '/v1/subscriptions', { body: newSubscriptionBody({ eventTypes }) });
    expectRefusal(await attempt([]), 'INVALID_ARGUMENT', ['eventTypes']);
    expectRefusal(await attempt([messageCreated]), 'INVALID_ARGUMENT', ['eventTypes[0]']);
    expectRefusal(
      await attempt([fileCreated, 'google.workspace.events.subscription.v1.expired']),
      'INVALID_ARGUMENT',
      ['eventTypes[1]'],
    );
    const many = Array.from({ length: 101 }, (_, index) => `${fileCreated}${index}`);
    expectRefusal(await attempt(many), 'INVALID_ARGUMENT', ['eventTypes']);
    const chat = await events.call('POST', '/v1/subscriptions', {
      body: newSubscriptionBody({
        targetResource: '//chat.googleapis.com/spaces/s',
        eventTypes: ['google.workspace.chat.message.v1.batchCreated'],
      }),
    });
    expectRefusal(chat, 'INVALID_ARGUMENT', ['eventTypes[0]']);
    const { body } = await attempt([fileDeleted, fileCreated, fileDeleted]);
    expect(body.response.eventTypes).toEqual([fileDeleted, fileCreated]);
  });

  test('take payload options where events can carry the resource, and then live 4 hours [E2.5, E2.20, E2.21, E6.2]', async () => {
    const events = await open();
    const payloadOptions = {
      includeResource: true,
      fieldMask: 'message.sender,message.createTime',
    };
    expectRefusal(
      await events.call('POST', '/v1/subscriptions', {
        as: 'archivist',
        body: newSubscriptionBody({
          targetResource: '//folder/-',
          eventTypes: ['tradewind.folder.file.v1.created'],
          payloadOptions,
        }),
      }),
      'INVALID_ARGUMENT',
      ['payloadOptions.includeResource'],
    );
    const drive = { targetResource: '//drive.googleapis.com/files/nothing-asked' };
    const nothingAsked = await create(events, { ...drive, payloadOptions: {} });
    expect(nothingAsked.payloadOptions).toEqual({ includeResource: false });
    const chat = { targetResource: '//chat.googleapis.com/spaces/s', eventTypes: [messageCreated] };
    const tooLong = newSubscriptionBody({ ...chat, payloadOptions, ttl: '14401s' });
    expectRefusal(
      await events.call('POST', '/v1/subscriptions', { body: tooLong }),
      'INVALID_ARGUMENT',
      ['ttl'],
    );
    const made = await create(events, { ...chat, payloadOptions });
    expect(made.payloadOptions).toEqual(payloadOptions);
    expect(made.expireTime).toBe(iso(events.clock.now() + 4 * hour));
  });

  test('need exactly one well-formed endpoint [E2.6, E2.22, E2.23, E14.17, E14.19]', async () => {
    const events = await open();
    const attempt = (notificationEndpoint: unknown) =>
      events.call('POST', '/v1/subscriptions?validateOnly=true', {
        body: newSubscriptionBody({ notificationEndpoint }),
      });
    for (const [endpoint, field] of [
      [undefined, 'notificationEndpoint'],
      [{}, 'notificationEndpoint'],
      [{ eventStream: {}, pubsubTopic: 'projects/p/topics/t' }, 'notificationEndpoint'],
      [{ pubsubTopic: 'topics/t' }, 'notificationEndpoint.pubsubTopic'],
      [{ webhook: {} }, 'notificationEndpoint.webhook.uri'],
      [{ webhook: { uri: 'ftp://x/' } }, 'notificationEndpoint.webhook.uri'],
      [{ webhook: { uri: 'https://u:p@example.com/' } }, 'notificationEndpoint.webhook.uri'],
      [{ natsSubject: 'a.*' }, 'notificationEndpoint.natsSubject'],
    ] as const) {
      expectRefusal(await attempt(endpoint), 'INVALID_ARGUMENT', [field]);
    }
    expect((await attempt({ pubsubTopic: 'projects/any/topics/changes' })).status).toBe(200);
    expectRefusal(await attempt({ natsSubject: 'changes' }), 'FAILED_PRECONDITION');
  });

  test('tell the signing secret of a webhook to create alone [E14.18]', async () => {
    const events = await open();
    const webhook = { uri: 'http://127.0.0.1:9/hook' };
    const { body } = await events.call(
      'POST',
      '/v1/subscriptions?requestId=0b9d4f0e-2f0a-4b9e-8a51-0d6d3f1c2b3a',
      {
        body: newSubscriptionBody({ notificationEndpoint: { webhook } }),
      },
    );
    const shown = body.response.notificationEndpoint.webhook;
    expect(shown).toEqual({
      ...webhook,
      contentMode: 'BINARY',
      signingSecret: expect.stringMatching(/^whsec_/),
    });
    const { signingSecret, ...rest } = shown;
    for (const path of [body.response.name, body.name]) {
      const { text } = await events.call('GET', `/v1/${path}`);
      expect(text).not.toContain(signingSecret);
      expect(text).toContain(rest.uri);
    }
    const repeated = await events.call(
      'POST',
      '/v1/subscriptions?requestId=0b9d4f0e-2f0a-4b9e-8a51-0d6d3f1c2b3a',
      { body: {} },
    );
    expect(repeated.body.response.notificationEndpoint).toEqual({ webhook: rest });
  });

  test('take drive options on drive targets, and need them true on a shared drive [E2.16]', async () => {
    const events = await open();
    const attempt = (more: object) =>
      events.call('POST', '/v1/subscriptions?validateOnly=true', {
        body: newSubscriptionBody(more),
      });
    const drive = { targetResource: '//drive.googleapis.com/drives/d' };
    for (const driveOptions of [undefined, {}, { includeDescendants: false }]) {
      expectRefusal(await attempt({ ...drive, driveOptions }), 'INVALID_ARGUMENT', [
        'driveOptions.includeDescendants',
      ]);
    }
    const whole = await attempt({ ...drive, driveOptions: { includeDescendants: true } });
    expect(whole.body.response.driveOptions).toEqual({ includeDescendants: true });
    const folder = await attempt({ driveOptions: {} });
    expect(folder.body.response.driveOptions).toEqual({ includeDescendants: false });
  });

  test('live as long as asked, within the limits [E2.12, E2.19, E6.1, E6.12]', async () => {
    const events = await open();
    const now = events.clock.now();
    const attempt = (more: object) =>
      events.call('POST', '/v1/subscriptions?validateOnly=true', {
        body: newSubscriptionBody(more),
      });
    for (const [given, expected] of [
      [{ ttl: '60s' }, now + 60_000],
      [{ ttl: '604800s' }, now + 7 * day],
      [{ ttl: '0s' }, now + 7 * day],
      [{ ttl: '3600.5s' }, now + 3_600_500],
      [{ expireTime: iso(now + day) }, now + day],
      [{ expireTime: '2026-01-02T02:00:00+02:00' }, Date.UTC(2026, 0, 2)],
    ] as const) {
      const { body } = await attempt(given);
      expect(body.response.expireTime).toBe(iso(expected));
      expect(body.response).not.toHaveProperty('ttl');
    }
    for (const [given, field] of [
      [{ ttl: '59.999s' }, 'ttl'],
      [{ ttl: '-1s' }, 'ttl'],
      [{ ttl: '604801s' }, 'ttl'],
      [{ expireTime: iso(now - 1) }, 'expireTime'],
      [{ expireTime: iso(now + 7 * day + 1) }, 'expireTime'],
      [{ ttl: '3600s', expireTime: iso(now + day) }, 'ttl'],
    ] as const) {
      expectRefusal(await attempt(given), 'INVALID_ARGUMENT', [field]);
    }
  });

  test('can be validated without being created [E3.2, E8.5]', async () => {
    const events = await open();
    const { status, body } = await events.call('POST', '/v1/subscriptions?validateOnly=true', {
      body: newSubscriptionBody({ ttl: '3600s' }),
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ done: true, response: { state: 'ACTIVE' } });
    expect(body).not.toHaveProperty('name');
    expect(body.response).not.toHaveProperty('name');
    expect(body.response).not.toHaveProperty('uid');
    expect((await events.call('GET', listing(ofType(fileCreated)))).body.subscriptions).toEqual([]);
  });

  test('are one for a client, a user and a target [E6.4, E8.7]', async () => {
    const events = await open();
    const { name } = await create(events);
    await create(events, {}, { as: 'bob' });
    await create(events, {}, { as: 'alice-elsewhere' });
    await events.suspend(name);
    for (const path of ['/v1/subscriptions', '/v1/subscriptions?validateOnly=true']) {
      const answer = await events.call('POST', path, { body: newSubscriptionBody() });
      expectRefusal(answer, 'ALREADY_EXISTS');
      const [info, resource] = answer.body.error.details;
      expect(info.metadata.name).toBe(name);
      expect(resource).toMatchObject({ resourceType: 'subscription', resourceName: name });
    }
    events.clock.advance(7 * day);
    expect((await create(events)).name).not.toBe(name);
  });

  test('created concurrently for one target leave one winner [E6.4, E4.6, E5.11]', async () => {
    const events = await open();
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() =>
        events.call('POST', '/v1/subscriptions', { body: newSubscriptionBody() }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  test('answer a repeated request id with the first operation [E8.24]', async () => {
    const events = await open();
    const path = '/v1/subscriptions?requestId=9b2f1c2e-6d3a-4e61-9a55-5a8d6f0e7c11';
    const both = await Promise.all([
      events.call('POST', path, { body: newSubscriptionBody() }),
      events.call('POST', path, { body: newSubscriptionBody() }),
    ]);
    expect(both[0].status).toBe(200);
    expect(both[1].body).toEqual(both[0].body);
    const others = await events.call('POST', path, { body: newSubscriptionBody(), as: 'bob' });
    expect(others.body.name).not.toBe(both[0].body.name);
    for (const bad of ['x', '9b2f1c2e-6d3a-1e61-9a55-5a8d6f0e7c11']) {
      const answer = await events.call('POST', `/v1/subscriptions?requestId=${bad}`, {
        body: newSubscriptionBody(),
      });
      expectRefusal(answer, 'INVALID_ARGUMENT', ['requestId']);
    }
  });

  test('tell their signing secret once, and not to a repeated request id [F57, E14.18]', async () => {
    const events = await open();
    const path = '/v1/subscriptions?requestId=9b2f1c2e-6d3a-4e61-9a55-5a8d6f0e7c11';
    const body = newSubscriptionBody({
      notificationEndpoint: { webhook: { uri: 'http://127.0.0.1:1/hook' } },
    });
    const first = await events.call('POST', path, { body });
    expect(first.text).toContain('whsec_');
    const { name } = first.body.response;
    const repeated = await events.call('POST', path, { body });
    expect(repeated.body.response.name).toBe(name);
    expect(repeated.text).not.toContain('whsec_');
    await events.call('DELETE', `/v1/${name}`);
    expect((await events.call('POST', path, { body })).text).not.toContain('whsec_');
  });

  test('of another principal are not there [E3.3, E3.39]', async () => {
    const events = await open();
    const { body } = await events.call('POST', '/v1/subscriptions', {
      body: newSubscriptionBody(),
    });
    const { name } = body.response;
    for (const as of ['bob', 'alice-elsewhere', 'robot']) {
      for (const [method, path] of [
        ['GET', `/v1/${name}`],
        ['PATCH', `/v1/${name}`],
        ['DELETE', `/v1/${name}`],
        ['POST', `/v1/${name}:reactivate`],
        ['GET', `/v1/${body.name}`],
        ['GET', `/v1/${name}/deliveries`],
      ] as const) {
        const sent = method === 'PATCH' ? { body: { ttl: '3600s' } } : {};
        expectRefusal(await events.call(method, path, { as, ...sent }), 'NOT_FOUND');
      }
    }
    expect((await events.call('GET', `/v1/${name}`)).status).toBe(200);
  });

  test('are listed in pages of their principal [E3.5, E3.8, E3.9, E3.10, E6.5]', async () => {
    const events = await open();
    const names: string[] = [];
    for (let index = 0; index < 53; index++) {
      const target = `//drive.googleapis.com/files/f${index}`;
      names.push((await create(events, { targetResource: target })).name);
      // A minute passes for every 50 subscriptions, so that the quota of writes is never reached.
      if (index % 50 === 49) events.clock.advance(60_000);
    }
    await create(events, {}, { as: 'bob' });
    await events.suspend(names[0]!);
    const page = async (more: string) =>
      (await events.call('GET', listing(ofType(fileCreated), more))).body;
    const first = await page('');
    expect(first.subscriptions).toHaveLength(50);
    const rest = await page(`&pageToken=${first.nextPageToken}`);
    expect(rest.nextPageToken).toBeUndefined();
    const listed = [...first.subscriptions, ...rest.subscriptions].map(({ name }) => name);
    expect(listed.sort()).toEqual(names.sort());
    expect((await page('&pageSize=0')).subscriptions).toHaveLength(50);
    expect((await page('&pageSize=1000')).subscriptions).toHaveLength(53);
    const two = await page('&pageSize=2');
    const three = await page(`&pageSize=3&pageToken=${two.nextPageToken}`);
    expect([two.subscriptions.length, three.subscriptions.length]).toEqual([2, 3]);
  });

  test('refuse bad pages and filters [E3.4, E3.6, E3.7, E3.13, E3.15]', async () => {
    const events = await open();
    for (const index of [1, 2])
      await create(events, { targetResource: `//drive.googleapis.com/files/${index}` });
    expectRefusal(await events.call('GET', '/v1/subscriptions'), 'INVALID_ARGUMENT', ['filter']);
    for (const filter of [
      'x',
      'target_resource="//a/b"',
      `NOT ${ofType('a')}`,
      'state="ACTIVE"',
      'event_types="a"',
    ]) {
      expectRefusal(await events.call('GET', listing(filter)), 'INVALID_ARGUMENT', ['filter']);
    }
    const filter = ofType(fileCreated);
    expectRefusal(await events.call('GET', listing(filter, '&pageSize=-1')), 'INVALID_ARGUMENT', [
      'pageSize',
    ]);
    const { body } = await events.call('GET', listing(filter, '&pageSize=1'));
    expect(body.nextPageToken).toMatch(/^[\w-]+$/);
    const token = `&pageToken=${body.nextPageToken}`;
    expect((await events.call('GET', listing(filter, token))).status).toBe(200);
    const forged = `&pageToken=${body.nextPageToken.slice(0, -2)}AA`;
    for (const answer of [
      await events.call('GET', listing(`${filter} OR ${ofType('x')}`, token)),
      await events.call('GET', listing(filter, token), { as: 'bob' }),
      await events.call('GET', listing(filter, forged)),
    ]) {
      expectRefusal(answer, 'INVALID_ARGUMENT', ['pageToken']);
    }
  });

  test('are found by filters over types and targets [E3.11, E3.12, E3.14]', async () => {
    const events = await open();
    const one = '//drive.googleapis.com/files/1';
    const two = '//drive.googleapis.com/files/2';
    await create(events, { targetResource: one, eventTypes: [fileCreated] });
    await create(events, { targetResource: two, eventTypes: [fileCreated, fileDeleted] });
    const targets = async (filter: string) =>
      (await events.call('GET', listing(filter))).body.subscriptions
        .map(({ targetResource }: { targetResource: string }) => targetResource)
        .sort();
    expect(await targets(ofType(fileDeleted))).toEqual([two]);
    expect(await targets(`${ofType(fileCreated)} AND target_resource="${one}"`)).toEqual([one]);
    expect(
      await targets(
        `target_resource="${one}" AND ${ofType(fileDeleted)} OR ${ofType(fileCreated)}`,
      ),
    ).toEqual([one]);
    expect(
      await targets(`(target_resource="${one}" AND ${ofType('x')}) OR ${ofType(fileDeleted)}`),
    ).toEqual([two]);
    expect(await targets(`eventTypes:"${fileCreated}" AND targetResource="${two}"`)).toEqual([two]);
  });

  test('are renewed and changed by patch [E2.10, E3.16, E3.17, E3.18, E3.21, E3.22, E3.23, E5.2]', async () => {
    const events = await open();
    const { name, etag, createTime } = await create(events, { ttl: '3600s' });
    const patch = (body: object, query = '') =>
      events.call('PATCH', `/v1/${name}${query}`, { body });
    events.clock.advance(1_000);
    const now = events.clock.now();
    const renewed = (await patch({ ttl: '7200s' })).body;
    expect(renewed.metadata['@type']).toMatch(/UpdateSubscriptionMetadata$/);
    expect(renewed.response).toMatchObject({
      state: 'ACTIVE',
      createTime,
      updateTime: iso(now),
      expireTime: iso(now + 2 * hour),
    });
    expect(renewed.response.etag).not.toBe(etag);
    const longest = iso(now + 7 * day);
    for (const [body, query] of [
      [{ ttl: '0s' }, '?updateMask=ttl'],
      [{ ttl: { seconds: 0 } }, '?updateMask=ttl'],
      [{}, '?updateMask=expire_time'],
    ] as const) {
      await patch({ ttl: '60s' });
      expect((await patch(body, query)).body.response.expireTime).toBe(longest);
    }
    const both = { eventTypes: [fileDeleted], ttl: '60s' };
    const masked = (await patch(both, '?updateMask=event_types')).body.response;
    expect(masked).toMatchObject({ eventTypes: [fileDeleted], expireTime: longest });
    const before = (await events.call('GET', `/v1/${name}`)).body;
    for (const body of [{}, { targetResource: '//x/y', driveOptions: {} }, { eventTypes: [] }]) {
      const { '@type': _type, ...same } = (await patch(body)).body.response;
      expect(same).toEqual(before);
    }
    for (const [body, query, field] of [
      [{ ttl: '1s' }, '', 'ttl'],
      [{ expireTime: iso(now - 1) }, '', 'expireTime'],
      [{ ttl: '60s', expireTime: longest }, '', 'ttl'],
      [{}, '?updateMask=eventTypes', 'eventTypes'],
      [{ eventTypes: [messageCreated] }, '', 'eventTypes[0]'],
      [{ name: 'subscriptions/other' }, '', 'name'],
    ] as const) {
      expectRefusal(await patch(body, query), 'INVALID_ARGUMENT', [field]);
    }
    expect((await events.call('GET', `/v1/${name}`)).body).toEqual(before);
  });

  test('refuse masks over what cannot change [E3.20, E8.1]', async () => {
    const events = await open();
    const { name } = await create(events);
    for (const mask of [
      'targetResource',
      'state',
      'payloadOptions',
      'nothing',
      'ttl,name',
      '*,ttl',
      'a b',
    ]) {
      const path = `/v1/${name}?updateMask=${encodeURIComponent(mask)}`;
      expectRefusal(
        await events.call('PATCH', path, { body: { ttl: '60s' } }),
        'INVALID_ARGUMENT',
        ['updateMask'],
      );
    }
  });

  test('are replaced as a whole by the mask * [E3.19]', async () => {
    const events = await open();
    const webhook = { uri: 'http://127.0.0.1:9/hook' };
    const whole = { notificationEndpoint: { webhook } };
    const { name } = await create(events, { ...whole, ttl: '60s' });
    const replace = (body: object) => events.call('PATCH', `/v1/${name}?updateMask=*`, { body });
    expectRefusal(await replace({ ttl: '60s' }), 'INVALID_ARGUMENT', [
      'targetResource',
      'eventTypes',
      'notificationEndpoint',
    ]);
    expectRefusal(await replace(newSubscriptionBody()), 'INVALID_ARGUMENT', [
      'notificationEndpoint',
    ]);
    expectRefusal(
      await replace(
        newSubscriptionBody({ ...whole, targetResource: '//drive.googleapis.com/files/2' }),
      ),
      'INVALID_ARGUMENT',
      ['targetResource'],
    );
    const signingSecret = `whsec_${Buffer.alloc(32).toString('base64')}`;
    const { body } = await replace(
      newSubscriptionBody({
        notificationEndpoint: { webhook: { ...webhook, signingSecret } },
        eventTypes: [fileDeleted],
      }),
    );
    expect(body.response).toMatchObject({
      eventTypes: [fileDeleted],
      expireTime: iso(events.clock.now() + 7 * day),
    });
  });

  test('keep to the etag that the caller knows [E2.14, E3.24, E3.31, E8.8]', async () => {
    const events = await open();
    const { name, etag } = await create(events);
    const stale = await events.call('PATCH', `/v1/${name}`, {
      body: { ttl: '60s', etag: '"other"' },
    });
    expectRefusal(stale, 'ABORTED');
    expect(stale.body.error.details[0].reason).toBe('ETAG_MISMATCH');
    expect((await events.call('GET', `/v1/${name}`)).body.etag).toBe(etag);
    expectRefusal(await events.call('DELETE', `/v1/${name}?etag=x`), 'ABORTED');
    const patched = await events.call('PATCH', `/v1/${name}`, { body: { ttl: '60s', etag } });
    expect(patched.status).toBe(200);
    const now = encodeURIComponent(patched.body.response.etag);
    expect((await events.call('DELETE', `/v1/${name}?etag=${now}`)).status).toBe(200);
  });

  test('can be renewed while suspended, which they stay [E3.25, E3.35, E5.4, E5.5, E2.15]', async () => {
    const events = await open();
    const { name } = await create(events, { ttl: '3600s' });
    await events.suspend(name, 'ENDPOINT_NOT_FOUND');
    await events.suspend(name, 'OTHER');
    const { body } = await events.call('PATCH', `/v1/${name}`, { body: { ttl: '7200s' } });
    const { expireTime } = body.response;
    expect(body.response).toMatchObject({
      state: 'SUSPENDED',
      suspensionReason: 'ENDPOINT_NOT_FOUND',
    });
    events.clock.advance(1_000);
    const active = await events.call('POST', `/v1/${name}:reactivate`);
    expect(active.body.metadata['@type']).toMatch(/ReactivateSubscriptionMetadata$/);
    expect(active.body.response).toMatchObject({ state: 'ACTIVE', expireTime });
    expect(active.body.response).not.toHaveProperty('suspensionReason');
  });

  test('are validated and not changed by a patch with validateOnly [E3.28]', async () => {
    const events = await open();
    const { name, etag, expireTime } = await create(events);
    const path = `/v1/${name}?validateOnly=true`;
    const { body } = await events.call('PATCH', path, { body: { ttl: '60s' } });
    expect(body).not.toHaveProperty('name');
    expect(body.response.expireTime).toBe(iso(events.clock.now() + 60_000));
    expectRefusal(await events.call('PATCH', path, { body: { ttl: '1s' } }), 'INVALID_ARGUMENT');
    expect((await events.call('GET', `/v1/${name}`)).body).toMatchObject({ etag, expireTime });
  });

  test('are gone after delete, which can be repeated for a minute [E3.26, E3.29, E4.2, E5.8, E8.6, E8.23]', async () => {
    const events = await open();
    const { name, uid } = await create(events);
    const deleted = await events.call('DELETE', `/v1/${name}`);
    expect(deleted.body).toEqual({
      name: expect.stringMatching(/^operations\//),
      metadata: {
        '@type':
          'type.googleapis.com/google.apps.events.subscriptions.v1.DeleteSubscriptionMetadata',
      },
      done: true,
      response: { '@type': 'type.googleapis.com/google.protobuf.Empty' },
    });
    for (const [method, path] of [
      ['GET', `/v1/${name}`],
      ['PATCH', `/v1/${name}`],
      ['POST', `/v1/${name}:reactivate`],
      ['GET', `/v1/subscriptions/${uid}`],
    ] as const) {
      const sent = method === 'PATCH' ? { body: { ttl: '60s' } } : {};
      expectRefusal(await events.call(method, path, sent), 'NOT_FOUND');
    }
    events.clock.advance(60_000);
    for (const id of [name, `subscriptions/${uid}`]) {
      expect((await events.call('DELETE', `/v1/${id}`)).body).toEqual(deleted.body);
    }
    expectRefusal(await events.call('DELETE', `/v1/${name}`, { as: 'bob' }), 'NOT_FOUND');
    events.clock.advance(1);
    expectRefusal(await events.call('DELETE', `/v1/${name}`), 'NOT_FOUND');
    expect((await create(events)).uid).not.toBe(uid);
  });

  test('may be missing on delete with allowMissing, and a delete can be validated only [E3.30, E3.32]', async () => {
    const events = await open();
    const missing = await events.call('DELETE', '/v1/subscriptions/none?allowMissing=true');
    expect(missing.body).toMatchObject({ done: true, response: {} });
    expect((await events.call('GET', `/v1/${missing.body.name}`)).body).toEqual(missing.body);
    expectRefusal(
      await events.call('DELETE', '/v1/subscriptions/none?allowMissing=false'),
      'NOT_FOUND',
    );
    const { name } = await create(events);
    const rehearsed = await events.call('DELETE', `/v1/${name}?validateOnly=true`);
    expect(rehearsed.body).toMatchObject({ done: true });
    expect(rehearsed.body).not.toHaveProperty('name');
    expectRefusal(await events.call('DELETE', `/v1/${name}?validateOnly=true&etag=x`), 'ABORTED');
    expect((await events.call('GET', `/v1/${name}`)).status).toBe(200);
  });

  test('are reactivated only from suspension [E3.36, E8.2, E7.15]', async () => {
    const events = await open();
    const { name } = await create(events);
    const answer = await events.call('POST', `/v1/${name}:reactivate`);
    expectRefusal(answer, 'FAILED_PRECONDITION');
    expect(answer.body.error.details[0].reason).toBe('SUBSCRIPTION_NOT_SUSPENDED');
    await events.suspend(name);
    expect((await events.call('POST', `/v1/${name}:reactivate`, { body: {} })).status).toBe(200);
    await events.suspend(name);
    expect((await events.call('POST', `/v1/${name}:reactivate`)).status).toBe(200);
    await events.suspend(name);
    expectRefusal(
      await events.call('POST', `/v1/${name}:reactivate`, { body: { now: true } }),
      'INVALID_ARGUMENT',
      ['now'],
    );
  });

  test('are suspended with their application and reactivated once it is back [E14.16, E2.26, E3.33, E3.34]', async () => {
    const events = await open();
    const crm = {
      name: 'crm',
      targets: [{ pattern: '//crm/deals/{deal}', eventTypes: ['crm.deal.v1.won'] }],
      scopes: [],
    };
    await events.call('POST', '/v1/applications', { as: 'operator', body: crm });
    const { name } = await create(events, {
      targetResource: '//crm/deals/1',
      eventTypes: ['crm.deal.v1.won'],
    });
    const kept = await create(events);
    await events.call('DELETE', '/v1/applications/crm', { as: 'operator' });
    expect((await events.call('GET', `/v1/${kept.name}`)).body.state).toBe('ACTIVE');
    const answer = await events.call('POST', `/v1/${name}:reactivate`);
    expectRefusal(answer, 'FAILED_PRECONDITION');
    const failure = answer.body.error.details.find((one: object) => 'violations' in one);
    expect(failure.violations).toEqual([
      expect.objectContaining({ type: 'RESOURCE_DELETED', subject: '//crm/deals/1' }),
    ]);
    expect((await events.call('GET', `/v1/${name}`)).body.suspensionReason).toBe(
      'RESOURCE_DELETED',
    );
    await events.call('POST', '/v1/applications', { as: 'operator', body: crm });
    expect((await events.call('POST', `/v1/${name}:reactivate`)).status).toBe(200);
  });

  test('do not become active behind the removal of their application [E14.16, E2.26]', async () => {
    const database = await (await createStore()).open();
    const [here, elsewhere] = [await openTestEvents(database), await openTestEvents(database)];
    const deals = { eventTypes: ['crm.deal.v1.won'] };
    await here.call('POST', '/v1/applications', {
      as: 'operator',
      body: {
        name: 'crm',
        targets: [{ pattern: '//crm/deals/{deal}', ...deals }],
        scopes: [],
      },
    });
    const { name } = await create(elsewhere, { targetResource: '//crm/deals/1', ...deals });
    await here.call('DELETE', '/v1/applications/crm', { as: 'operator' });
    expect((await here.call('GET', `/v1/${name}`)).body.state).toBe('SUSPENDED');
    // On a fake clock the catalogue in the other process's cache does not expire.
    expectRefusal(await elsewhere.call('POST', `/v1/${name}:reactivate`), 'ABORTED');
    const body = newSubscriptionBody({ targetResource: '//crm/deals/2', ...deals });
    expectRefusal(await elsewhere.call('POST', '/v1/subscriptions', { body }), 'ABORTED');
    expect((await here.call('GET', `/v1/${name}`)).body.state).toBe('SUSPENDED');
  });

  test('show every reason of suspension by its name [E2.25, E2.26, E2.27, E2.28, E2.29, E2.30, E2.31, E2.32, E2.33]', async () => {
    const events = await open();
    const { name } = await create(events);
    for (const reason of suspensionReasons) {
      await events.suspend(name, reason);
      expect((await events.call('GET', `/v1/${name}`)).body).toMatchObject({
        state: 'SUSPENDED',
        suspensionReason: reason,
      });
      const { body } = await events.call('POST', `/v1/${name}:reactivate`);
      expect(body.response.state).toBe('ACTIVE');
    }
  });

  test('changed concurrently leave one winner [E4.6, E5.11]', async () => {
    const events = await open();
    const { name } = await create(events);
    const answers = await Promise.all(
      ['3600s', '7200s', '10800s'].map((ttl) =>
        events.call('PATCH', `/v1/${name}`, { body: { ttl } }),
      ),
    );
    const won = answers.filter(({ status }) => status === 200);
    const lost = answers.filter(({ status }) => status !== 200);
    expect(won.length).toBeGreaterThan(0);
    for (const answer of lost) {
      expectRefusal(answer, 'ABORTED');
      expect(answer.body.error.details[0].reason).toBe('CONCURRENT_CHANGE');
    }
  });

  test('leave operations that are kept for 30 days and do not change [E3.37, E3.38]', async () => {
    const events = await open();
    const { body } = await events.call('POST', '/v1/subscriptions', {
      body: newSubscriptionBody(),
    });
    await events.call('PATCH', `/v1/${body.response.name}`, {
      body: { eventTypes: [fileDeleted] },
    });
    events.clock.advance(30 * day);
    expect((await events.call('GET', `/v1/${body.name}`)).body).toEqual(body);
    events.clock.advance(1);
    expectRefusal(await events.call('GET', `/v1/${body.name}`), 'NOT_FOUND');
    expectRefusal(await events.call('GET', '/v1/operations/a/b/c'), 'NOT_FOUND');
  });

  test.each([
    ['the person withdraws what the client was allowed [E2.25]', 'authorization.grant-revoked'],
    ['a token of the grant was stolen [E2.25]', 'authorization.reuse-detected'],
  ])('are suspended when %s', async (_, topic) => {
    const events = await open();
    const { name } = await create(events);
    const other = await create(events, {}, { as: 'bob' });
    await tell(events, topic, { clientId: 'app', accountId: 'alice' });
    expect((await events.call('GET', `/v1/${name}`)).body).toMatchObject({
      state: 'SUSPENDED',
      suspensionReason: 'USER_SCOPE_REVOKED',
    });
    expect((await events.call('GET', `/v1/${other.name}`, { as: 'bob' })).body.state).toBe(
      'ACTIVE',
    );
    expect((await events.call('POST', `/v1/${name}:reactivate`)).status).toBe(200);
  });

  test('go on while another grant of the person to the client covers them [K11]', async () => {
    const events = await open();
    const { name } = await create(events);
    const revoked = { clientId: 'app', accountId: 'alice' };
    const stateAfter = async (stillHeld: readonly string[]) => {
      await tell(events, 'authorization.grant-revoked', { ...revoked, stillHeld });
      return (await events.call('GET', `/v1/${name}`)).body.state;
    };
    expect(await stateAfter(['subscriptions.read', 'subscriptions.write'])).toBe('ACTIVE');
    expect(await stateAfter(['subscriptions.read'])).toBe('SUSPENDED');
  });

  test('go on when the person only signs out of a page of this server [K11]', async () => {
    const events = await open();
    const { name } = await create(events);
    const payload = { clientId: 'app', accountId: 'alice', isSignOut: true };
    await tell(events, 'authorization.grant-revoked', payload);
    expect((await events.call('GET', `/v1/${name}`)).body.state).toBe('ACTIVE');
  });

  test('are suspended with the client that made them for itself [E2.32]', async () => {
    const events = await open();
    const { name } = await create(events, {}, { as: 'robot' });
    const other = await create(events);
    await tell(events, 'authorization.client-removed', { clientId: 'robot' });
    expect((await events.call('GET', `/v1/${name}`, { as: 'robot' })).body).toMatchObject({
      state: 'SUSPENDED',
      suspensionReason: 'APP_SCOPE_REVOKED',
    });
    expect((await events.call('GET', `/v1/${other.name}`)).body.state).toBe('ACTIVE');
  });
});

/** Delivers a message of authorization, a moment later. */
function tell(events: TestEvents, topic: string, payload: object): Promise<void> {
  events.clock.advance(1);
  const occurredAt = events.clock.now();
  return events.bus.deliver(
    'events.grant-withdrawal',
    { id: '1', topic, key: 'g', payload: { ...payload, at: occurredAt }, occurredAt },
    new AbortController().signal,
  );
}
