import { expect, test } from 'vitest';
import { sql } from '../../src/kernel/database/sql.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { grantToken, manageWith } from '../support/grant-token.ts';
import {
  openTestAuthorization,
  type TestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';
import { startWorker } from '../support/start-worker.ts';

const clock = () => createFakeClock(Date.now());

/** A client that the operator made for itself, with its tokens, and how its scope is changed. */
async function open() {
  const service = await openTestAuthorization({ environment: withOwner, clock: clock() });
  const admin = await grantToken(service, { scope: 'admin' });
  const send = async (method: string, path: string, body: object) => {
    const response = await service.request(path, {
      method,
      headers: { Authorization: `Bearer ${admin.access_token}` },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, string>;
  };
  const metadata = {
    grant_types: ['client_credentials'],
    redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_post',
  };
  const made = await send('POST', '/register', { ...metadata, scope: 'admin swap.read' });
  const { client_id, client_secret } = made;
  const token = async (scope: string, of: TestAuthorization = service) => {
    const form = { grant_type: 'client_credentials', client_id, client_secret, scope };
    return String((await of.post('/token', form)).body.access_token);
  };
  const change = (scope: string) =>
    send('PUT', `/register/${client_id}`, { ...metadata, client_id, scope });
  const loseItself = () => {
    const redirect_uris = ['https://app.example/back'];
    const grant_types = ['authorization_code'];
    const scope = 'admin swap.read';
    return send('PUT', `/register/${client_id}`, {
      ...metadata,
      client_id,
      scope,
      redirect_uris,
      grant_types,
    });
  };
  return { service, token, change, loseItself, clientId: client_id };
}

const people = async (service: TestAuthorization, token: string) =>
  (await manageWith(service, token)('GET', '/v1/people')).status;
const isGood = async ({ authorization }: TestAuthorization, token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const request = new Request('http://localhost:8787/mcp', { headers });
  return (await authorization.guard.check(request)).principal !== undefined;
};

test('a scope that a client loses is refused in tokens that it has, in every process within 5 s, and others stay [F50, N21]', async () => {
  const { service, token, change } = await open();
  const other = await openTestAuthorization({
    database: service.database,
    clock: service.clock,
    environment: withOwner,
  });
  for (const worker of other.authorization.workers) {
    if (worker.name === 'revocations') startWorker(worker);
  }
  const [strong, weak] = [await token('admin swap.read'), await token('swap.read')];
  for (const each of [service, other]) expect(await people(each, strong)).toBe(200);
  // The other process remembers the client with its old scope, and so issues a token that is not good either.
  await token('admin', other);
  await change('swap.read');
  const late = await token('admin', other);
  expect(await people(service, strong)).toBe(401);
  expect(await people(service, late)).toBe(401);
  expect(await isGood(service, weak)).toBe(true);
  await expect.poll(() => people(other, strong)).toBe(401);
  expect(await isGood(other, weak)).toBe(true);
  expect(await isGood(service, await token('swap.read'))).toBe(true);
});

test('tokens by which a client acts for itself are refused once it loses that right, and not those of people [F50]', async () => {
  const { service, token, change, loseItself } = await open();
  const before = await token('swap.read');
  const ofPerson = (await grantToken(service, { scope: 'swap.read' })).access_token;
  expect(await isGood(service, before)).toBe(true);
  await loseItself();
  expect(await isGood(service, before)).toBe(false);
  expect(await isGood(service, ofPerson)).toBe(true);
  service.clock.advance(10_000);
  await change('admin swap.read');
  expect(await isGood(service, before)).toBe(false);
  expect(await isGood(service, await token('swap.read'))).toBe(true);
});

test('a scope that a client gets back is good in later tokens, and not in those from before [F50]', async () => {
  const { service, token, change } = await open();
  const before = await token('admin');
  await change('swap.read');
  service.clock.advance(10_000);
  await change('admin swap.read');
  expect(await people(service, before)).toBe(401);
  expect(await people(service, await token('admin'))).toBe(200);
});

test('the loss of a scope is told to other domains, and no other change of a client [F50]', async () => {
  const { service, change, clientId } = await open();
  await service.database.run(sql`
    INSERT INTO outbox_consumers (consumer, topic, seen_at)
    VALUES ('test', 'authorization.client-narrowed', 0)`);
  const told = async () => service.database.all<{ payload: string }>(sql`SELECT payload FROM work`);
  await change('admin swap.read');
  expect(await told()).toEqual([]);
  await change('swap.read');
  const [{ payload } = { payload: '{}' }] = await told();
  expect(JSON.parse(payload).payload).toMatchObject({ clientId, stillHeld: ['swap.read'] });
});
