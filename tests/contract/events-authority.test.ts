import { describe, expect, test, vi } from 'vitest';
import { pruneGrants } from '../../src/authorization/store/grant-store.ts';
import { eventsService } from '../../src/events/http/events-service.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { openAuthorizedEvents, subscriber } from '../support/open-authorized-events.ts';
import {
  createTestSubscription as createIn,
  fileCreated,
  newSubscriptionBody,
} from '../support/open-test-events.ts';
import { queuedEvents } from '../support/queued-events.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const target = '//drive.googleapis.com/files/f1';
const admin = [...subscriber, 'admin', 'events.publish'];

describe.each(migratedEngines)('the authority of subscriptions on $engine', ({ createStore }) => {
  const open = async (settings?: Parameters<typeof openAuthorizedEvents>[1]) => {
    const world = await openAuthorizedEvents(await (await createStore()).open(), settings);
    const create = (as: string, more: object = {}) => createIn(world, more, { as });
    const settled = (name: string, state: string) =>
      vi.waitFor(async () => expect(await world.stateOf(name)).toBe(state), 10_000);
    const publish = (as: string, id: string, more: object = {}) =>
      world.call('POST', '/v1/events', {
        as,
        headers: { 'Content-Type': 'application/cloudevents+json' },
        body: JSON.stringify({
          specversion: '1.0',
          id,
          source: '//test',
          type: fileCreated,
          subject: target,
          data: { file: { name: id } },
          ...more,
        }),
      });
    // Not by `call`, which reads an answer to its end.
    const listen = async (name: string, given: { as: string; lastEventId: string }) =>
      world.edge.request(`/v1/${name}:listen`, {
        headers: { Authorization: `Bearer ${given.as}`, 'Last-Event-ID': given.lastEventId },
      });
    return { ...world, create, settled, publish, listen };
  };

  test('ends with the person, whether or not a grant is left to revoke [F49, E2.25]', async () => {
    const world = await open();
    const clientId = await world.newClient();
    const ada = await world.invite('ada');
    const bob = await world.invite('bob');
    const { name } = await world.create(await world.allow(ada, { clientId, lifetime: 60_000 }));
    const kept = await world.create(await world.allow(bob, { clientId, lifetime: 60_000 }));
    world.service.clock.advance(60_001);
    await pruneGrants(world.database, { now: world.service.clock.now(), limit: 10 });
    const removed = await world.manage('DELETE', `/v1/people/${ada}`);
    expect(removed).toMatchObject({ status: 200 });
    await world.settled(name, 'SUSPENDED USER_SCOPE_REVOKED');
    expect(await world.stateOf(kept.name)).toBe('ACTIVE');
  });

  test('ends with the client, whoever used it and whether or not a grant is left [F49, E2.32]', async () => {
    const world = await open();
    const { clientId, token } = await world.makeClient(subscriber);
    const own = await world.create(token);
    const ada = await world.invite('ada');
    const { name } = await world.create(await world.allow(ada, { clientId, lifetime: 60_000 }));
    world.service.clock.advance(60_001);
    await pruneGrants(world.database, { now: world.service.clock.now(), limit: 10 });
    await world.service.request(`/register/${clientId}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${await world.ownerToken()}` },
    });
    await world.settled(own.name, 'SUSPENDED APP_SCOPE_REVOKED');
    await world.settled(name, 'SUSPENDED USER_SCOPE_REVOKED');
  });

  test.each(['the person is removed', 'the grant is revoked'])(
    'is asked again when a webhook has agreed to a reactivation, by when %s [F49, E3.33]',
    async (how) => {
      const world = await open();
      const clientId = await world.newClient();
      const ada = await world.invite('ada');
      const token = await world.allow(ada, { clientId });
      const grantId = token.replace('token', 'grant');
      let isGone = false;
      const receiver = await startWebhookReceiver(
        async () => {
          const path = how.includes('person') ? `/v1/people/${ada}` : `/v1/grants/${grantId}`;
          expect(await world.manage('DELETE', path)).toMatchObject({ status: 200 });
          isGone = true;
          return { status: 200, headers: { 'webhook-allowed-origin': '*' } };
        },
        { agrees: false },
      );
      const { name } = await world.create(token, {
        notificationEndpoint: { webhook: { uri: `${receiver.url}/hook` } },
      });
      await world.database.run(sql`UPDATE events_lanes SET is_agreed = 1`);
      await world.suspend(name, 'ENDPOINT_NOT_FOUND');
      const { status, body } = await world.call('POST', `/v1/${name}:reactivate`, { as: token });
      expect(isGone).toBe(true);
      expect(status, JSON.stringify(body)).toBe(400);
      expect(body.error.details).toContainEqual(
        expect.objectContaining({
          violations: [expect.objectContaining({ type: 'USER_SCOPE_REVOKED' })],
        }),
      );
      expect(await world.stateOf(name)).toBe('SUSPENDED ENDPOINT_NOT_FOUND');
    },
  );

  test('holds against creations and renewals at the time of its removal [F49]', async () => {
    const world = await open();
    const clientId = await world.newClient();
    const ada = await world.invite('ada');
    const token = await world.allow(ada, { clientId });
    const { name } = await world.create(token);
    const created = Array.from({ length: 20 }, (_, n) =>
      world.call('POST', '/v1/subscriptions', {
        as: token,
        body: newSubscriptionBody({ targetResource: `//drive.googleapis.com/files/n${n}` }),
      }),
    );
    const removed = world.manage('DELETE', `/v1/people/${ada}`);
    const later = Array.from({ length: 20 }, (_, n) =>
      world.call('POST', '/v1/subscriptions', {
        as: token,
        body: newSubscriptionBody({ targetResource: `//drive.googleapis.com/files/l${n}` }),
      }),
    );
    const answers = await Promise.all([...created, ...later]);
    expect((await removed).status).toBe(200);
    for (const { status, body } of answers) {
      if (status === 200) await world.settled(body.response.name, 'SUSPENDED USER_SCOPE_REVOKED');
      else expect(body.error.status).toBe('PERMISSION_DENIED');
    }
    const refused = await world.call('POST', '/v1/subscriptions', {
      as: token,
      body: newSubscriptionBody({ targetResource: '//drive.googleapis.com/files/last' }),
    });
    expect([refused.status, refused.body.error.status]).toEqual([403, 'PERMISSION_DENIED']);
    const renewed = await world.call('PATCH', `/v1/${name}`, { as: token, body: { ttl: '3600s' } });
    expect(renewed.status).toBe(403);
  });

  test.each(['demoted', 'left without the grant'])(
    'no longer sees all accounts when an admin is %s [F51, F7]',
    async (how) => {
      const world = await open({ eventVisibility: 'own' });
      const clientId = await world.newClient();
      const bob = await world.invite('bob', 'admin');
      const lesser = await world.allow(bob, { clientId });
      const token = await world.allow(bob, { clientId, scope: admin });
      const other = await world.allow(await world.invite('ada'), { clientId, scope: admin });
      const { name } = await world.create(token);
      expect((await world.publish(other, 'before')).status).toBe(202);

      const changed =
        how === 'demoted'
          ? await world.manage('PATCH', `/v1/people/${bob}`, { role: 'member' })
          : await world.manage('DELETE', `/v1/grants/${token.replace('token', 'grant')}`);
      expect(changed.status).toBe(200);
      await world.settled(name, 'SUSPENDED USER_SCOPE_REVOKED');
      expect((await world.publish(other, 'held')).status).toBe(202);

      // The other grant still allows the subscription, but only to what the account itself publishes.
      const again = await world.call('POST', `/v1/${name}:reactivate`, { as: lesser });
      expect(again.status, JSON.stringify(again.body)).toBe(200);
      await world.publish(other, 'after');
      const replayed = await world.call('POST', `/v1/${name}:replay`, { as: lesser, body: {} });
      expect(replayed.body).toEqual({ replayed: 0 });
      const id = name.slice('subscriptions/'.length);
      const seen = (await queuedEvents(world.database, id)).map((event) => event.id);
      expect(seen).not.toContain('after');
      const publisher = await world.allow(bob, {
        clientId,
        scope: [...subscriber, 'events.publish'],
      });
      await world.publish(publisher, 'own');
      const listened = await world.listen(name, {
        as: lesser,
        lastEventId: '0',
      });
      const text = await readUntil(listened.body!.getReader(), '"own"');
      expect(text).not.toMatch(/"(before|held|after)"/);
    },
  );

  test.each([
    ['events.publish', [...subscriber, 'events.publish']],
    ['admin', admin],
  ])('of a client that lost %s loses what needed it [F51, E2.32]', async (lost, scope) => {
    const world = await open({ eventVisibility: 'own' });
    const { token, put } = await world.makeClient(scope);
    const type = 'vault.door.v1.opened';
    const vault = {
      name: 'vault',
      targets: [{ pattern: '//vault/doors/{door}', eventTypes: [type] }],
      scopes: ['events.publish'],
    };
    await world.call('POST', '/v1/applications', { as: world.operator, body: vault });
    const needing = await world.create(token, {
      targetResource: '//vault/doors/1',
      eventTypes: [type],
    });
    const plain = await world.create(token);
    expect((await put(scope.filter((one) => one !== lost))).status).toBe(200);
    const whole = lost === 'admin' ? plain : needing;
    await world.settled(whole.name, 'SUSPENDED APP_SCOPE_REVOKED');
    if (lost !== 'admin') expect(await world.stateOf(plain.name)).toBe('ACTIVE');
  });

  test('is asked when an admin reactivates or renews a subscription of somebody else [F52, E3.33]', async () => {
    const world = await open();
    const clientId = await world.newClient();
    const ada = await world.invite('ada');
    const token = await world.allow(ada, { clientId });
    const { name } = await world.create(token);
    const act = async (verb: string) => {
      const path = `/v1/monitor/${name}:${verb}`;
      return (await world.call('POST', path, { as: world.operator, body: {} })).status;
    };
    await world.suspend(name);
    expect(await act('reactivate')).toBe(200);
    expect(await act('renew')).toBe(200);
    await world.manage('DELETE', `/v1/grants/${token.replace('token', 'grant')}`);
    await world.settled(name, 'SUSPENDED USER_SCOPE_REVOKED');
    expect([await act('reactivate'), await act('renew'), await act('replay')]).toEqual([
      400, 403, 400,
    ]);
    await world.allow(ada, { clientId });
    expect(await act('reactivate')).toBe(200);
    await world.manage('DELETE', `/v1/people/${ada}`);
    await world.settled(name, 'SUSPENDED USER_SCOPE_REVOKED');
    expect([await act('reactivate'), await act('renew'), await act('replay')]).toEqual([
      400, 403, 400,
    ]);
  });

  test('needs the scope of the application for every operation on a subscription [F56, E7.2, E7.3]', async () => {
    const world = await open();
    const type = 'vault.door.v1.opened';
    const targets = [{ pattern: '//vault/doors/{door}', eventTypes: [type] }];
    const vault = { name: 'vault', targets, scopes: ['swap.read'] };
    await world.call('POST', '/v1/applications', { as: world.operator, body: vault });
    const clientId = await world.newClient();
    const ada = await world.invite('ada');
    const whole = await world.allow(ada, { clientId, scope: [...subscriber, 'swap.read'] });
    const lesser = await world.allow(ada, { clientId });
    const { name } = await world.create(whole, {
      targetResource: '//vault/doors/1',
      eventTypes: [type],
    });
    const operations = eventsService.operations.filter(({ path }) =>
      path.includes('=subscriptions/*}'),
    );
    expect(operations.length).toBeGreaterThan(14);
    for (const { id, method, path } of operations) {
      const asked = path.replace(/\{[^}]*\}/, name);
      const body = method === 'POST' || method === 'PATCH' ? { body: {} } : {};
      const answer = await world.call(method, asked, { as: lesser, ...body });
      expect([id, answer.status]).toEqual([id, 403]);
    }
    const feed = await world.call('GET', `/v1/monitor/feed?subscription=${name}`, { as: lesser });
    expect(feed.status).toBe(403);
  });

  test('shows nothing of a subscription without the scope of its application: in a list, a feed and a topic [F56]', async () => {
    const world = await open();
    const type = 'vault.door.v1.opened';
    const targets = [{ pattern: '//vault/doors/{door}', eventTypes: [type] }];
    const vault = { name: 'vault', targets, scopes: ['swap.read'] };
    await world.call('POST', '/v1/applications', { as: world.operator, body: vault });
    const clientId = await world.newClient();
    const ada = await world.invite('ada');
    const whole = await world.allow(ada, { clientId, scope: [...subscriber, 'swap.read'] });
    const lesser = await world.allow(ada, { clientId });
    const pubsubTopic = 'projects/p/topics/t';
    const { name: open1 } = await world.create(lesser);
    const topic = (as: string) =>
      world.edge.request(`/v1/${pubsubTopic}:listen`, {
        headers: { Authorization: `Bearer ${as}` },
      });
    const { name: secret } = await world.create(whole, {
      targetResource: '//vault/doors/1',
      eventTypes: [type],
      notificationEndpoint: { pubsubTopic },
    });
    const listed = async (as: string) => {
      const { body } = await world.call('GET', '/v1/monitor/subscriptions', { as });
      const all: { subscription: { name: string } }[] = body.subscriptions;
      return all.map(({ subscription }) => subscription.name).sort();
    };
    expect(await listed(lesser)).toEqual([open1]);
    expect(await listed(whole)).toEqual([open1, secret].sort());
    expect(await listed(world.operator)).toEqual([open1, secret].sort());

    const refused = await topic(lesser);
    expect(refused.status).toBe(403);
    const allowed = await topic(whole);
    expect(allowed.status).toBe(200);
    await allowed.body?.cancel();

    const fed = async (as: string) => {
      const headers = { Authorization: `Bearer ${as}`, 'Last-Event-ID': '0-0-0' };
      const feed = await world.edge.request('/v1/monitor/feed?kinds=subscriptions,attempts', {
        headers,
      });
      const reader = (feed.body as ReadableStream<Uint8Array>).getReader();
      return readUntil(reader, open1);
    };
    const [first] = [open1, secret].sort();
    expect(await fed(lesser)).not.toContain(secret);
    expect(await fed(whole)).toContain(first);
  });
});

async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  wanted: string,
): Promise<string> {
  let text = '';
  while (!text.includes(wanted)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString();
  }
  await reader.cancel();
  return text;
}
