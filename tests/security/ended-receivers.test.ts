import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { enterDataDirectory } from '../../src/kernel/process/data-directory.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { grantToken } from '../support/grant-token.ts';
import { openAuthorizedEvents, subscriber } from '../support/open-authorized-events.ts';
import { issuer } from '../support/open-test-authorization.ts';
import { createTestSubscription, fileCreated } from '../support/open-test-events.ts';
import { startIdentityProvider } from '../support/start-identity-provider.ts';
import { startWorker } from '../support/start-worker.ts';
import { createTestBrowser, locationOf } from '../support/test-browser.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/** For how long an answer of the identity provider is believed. */
const interval = 60_000;

/** A person who signed in at the identity provider, and what a program receives on their behalf. */
async function open(environment: Record<string, string> = {}) {
  const provider = await startIdentityProvider();
  const database = await openDatabase({ dataDir: enterDataDirectory(createDataDir()) });
  const clock = createFakeClock(Date.now());
  const world = await openAuthorizedEvents(
    database,
    {},
    {
      clock,
      eventsClock: systemClock,
      environment: {
        ...provider.environment,
        TRADEWIND_IDP_STATUS_INTERVAL: '60s',
        ...environment,
      },
    },
  );
  for (const worker of world.events.workers) startWorker(worker);
  const { service } = world;
  const browser = createTestBrowser(service);
  const left = await browser.submit(await browser.open('/account'), 'third-party');
  const back = await provider.visit(locationOf(left), { login: 'ada' });
  await browser.open(back.pathname + back.search);
  const { access_token } = await grantToken(service, { browser, scope: subscriber.join(' ') });
  const { principal } = await service.authorization.guard.check(
    new Request(`${issuer}/v1/subscriptions`, {
      headers: { Authorization: `Bearer ${access_token}` },
    }),
  );
  if (principal === undefined) throw new Error('the token is not honoured');
  const as = world.speakAs(principal);
  const receiver = await startWebhookReceiver();
  const { name } = await createTestSubscription(
    world,
    { notificationEndpoint: { webhook: { uri: `${receiver.url}/hook` } } },
    { as },
  );
  const publisher = world.speakAs({
    ...{ subject: 'publisher', clientId: 'publisher', isPerson: false },
    scope: ['admin', 'events.publish'],
  });
  const publish = (id: string) =>
    world.call('POST', '/v1/events', {
      as: publisher,
      headers: { 'Content-Type': 'application/cloudevents+json' },
      body: JSON.stringify({
        ...{ specversion: '1.0', id, source: '//test', type: fileCreated },
        ...{ subject: '//drive.googleapis.com/files/f1', data: { file: { name: id } } },
      }),
    });
  const asked = () =>
    provider.exchanges.filter(({ path }) => path.includes('introspection')).length;
  await publish('before');
  await receiver.got(1);
  return { ...world, provider, receiver, clock, publish, asked, principal, name };
}

const bodies = (receiver: { received: readonly { body: string }[] }) =>
  receiver.received.map(({ body }) => body);

test('a person ended by the identity provider receives nothing more, though nobody uses the token [F85]', async () => {
  const world = await open();
  await world.provider.revoke();
  world.clock.advance(interval);
  await world.publish('secret');
  await vi.waitFor(async () => {
    expect(await world.stateOf(world.name)).toBe('SUSPENDED USER_SCOPE_REVOKED');
    expect(bodies(world.receiver).join()).toContain('suspension_reason');
  }, 10_000);
  expect(bodies(world.receiver).join()).not.toContain('secret');
});

test('the identity provider is asked once in the interval, however many events are delivered [F85]', async () => {
  const world = await open();
  world.clock.advance(interval);
  const before = world.asked();
  for (let n = 2; n < 7; n++) {
    await world.publish(`event-${n}`);
    await world.receiver.got(n);
  }
  expect(world.asked() - before).toBe(1);
});

test.each(['refuse', 'honour'])(
  'deliveries do what the operator wants while the identity provider does not answer: %s [F85]',
  async (outage) => {
    const world = await open({ TRADEWIND_IDP_OUTAGE: outage });
    world.provider.fail(/introspection/, 500);
    world.clock.advance(interval);
    const before = world.asked();
    await world.publish('meanwhile');
    if (outage === 'honour') return world.receiver.got(2);
    await vi.waitFor(() => expect(world.service.log.join()).toContain('did not answer about'));
    expect(world.asked()).toBe(before);
    expect(bodies(world.receiver)).toHaveLength(1);
    expect(await world.stateOf(world.name)).toBe('ACTIVE');
  },
);

test.each(['is ended there', 'cannot be checked'])(
  'a stream ends within the interval once the sign-in of its person %s, though nobody uses the token [F85]',
  async (how) => {
    const world = await open();
    const ended = new Promise<void>((resolve) => void world.principal.onRevoked?.(resolve));
    if (how === 'cannot be checked') world.provider.fail(/introspection/, 500);
    else await world.provider.revoke();
    await vi.waitFor(() => {
      world.clock.advance(interval);
      return expect(Promise.race([ended, Promise.reject(new Error('open'))])).resolves.toBe(
        undefined,
      );
    }, 10_000);
  },
);

test('a stream that closed has nobody asked about its sign-in any more [F85]', async () => {
  const world = await open();
  const stop = world.principal.onRevoked?.(() => {});
  await world.clock.whenAsleep(1);
  stop?.();
  const before = world.asked();
  world.clock.advance(interval);
  await systemClock.turn();
  expect(world.asked()).toBe(before);
});
