import { describe, expect, test } from 'vitest';
import type { AccountId } from '../../src/authorization/model/account.ts';
import type { ClientId } from '../../src/authorization/model/client.ts';
import { codeChallengeOf } from '../../src/authorization/protocol/pkce.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { answered, openTokenWorld, redirectUri } from '../support/open-token-world.ts';

const refused = { status: 400, body: { error: 'invalid_grant' } };

test('a code gives tokens for the person who allowed it [S11]', async () => {
  const world = await openTokenWorld({});
  const { access_token, refresh_token, token_type, expires_in, scope } = await world.signIn();
  expect({ token_type, expires_in, scope }).toEqual({
    token_type: 'Bearer',
    expires_in: 600,
    scope: 'swap.read subscriptions.read',
  });
  expect(refresh_token).toBeDefined();
  const headers = { authorization: `Bearer ${access_token}` };
  const { principal } = await world.tokens.guard.check(
    new Request('http://localhost:8787/mcp', { headers }),
  );
  expect(principal).toMatchObject({ subject: 'ann', clientId: 'app', isPerson: true });
});

test('a code that is used twice is refused and revokes the tokens it gave [R1]', async () => {
  const world = await openTokenWorld({});
  const form = await world.allow();
  const { access_token, refresh_token } = answered(await world.post('/token', form));
  expect(await world.enter(access_token)).toBe(200);
  expect(await world.post('/token', form)).toMatchObject(refused);
  expect(await world.enter(access_token)).toBe(401);
  expect(await world.refresh(refresh_token)).toMatchObject(refused);
});

test('the revocation for a code that is used twice reports no scopes that other grants still give [R1, K11]', async () => {
  const world = await openTokenWorld({});
  await world.database.run(sql`
    INSERT INTO outbox_consumers (consumer, topic, seen_at)
    VALUES ('test', 'authorization.grant-revoked', 0)`);
  const resources = ['http://localhost:8787/mcp'];
  await world.signIn({ resources });
  const form = await world.allow({ resources });
  await world.post('/token', form);
  await world.post('/token', form);
  const told = await world.database.all<{ payload: string }>(sql`SELECT payload FROM work`);
  expect(told.map(({ payload }) => JSON.parse(payload).payload.stillHeld)).toEqual([undefined]);
});

test('a replay after the minute of the code revokes its tokens too [R1]', async () => {
  const clock = createFakeClock();
  const world = await openTokenWorld({ clock });
  const form = await world.allow();
  const { access_token } = answered(await world.post('/token', form));
  clock.advance(300_000);
  expect(await world.post('/token', form)).toMatchObject(refused);
  expect(await world.enter(access_token)).toBe(401);
});

test('a code works for a minute and not a moment longer [R1]', async () => {
  const clock = createFakeClock();
  const world = await openTokenWorld({ clock });
  const [early, late] = [await world.allow(), await world.allow()];
  clock.advance(59_999);
  expect(await world.post('/token', early)).toMatchObject({ status: 200 });
  clock.advance(1);
  expect(await world.post('/token', late)).toMatchObject(refused);
});

test('exactly one of twenty concurrent redemptions of a code succeeds [R8, A8]', async () => {
  const world = await openTokenWorld({});
  const form = await world.allow();
  const answers = await Promise.all(Array.from({ length: 20 }, () => world.post('/token', form)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(19);
});

test('a code is useless to another client, and stays good for its own [A8]', async () => {
  const world = await openTokenWorld({});
  const form = await world.allow();
  expect(await world.post('/token', { ...form, client_id: 'other' })).toMatchObject(refused);
  expect(await world.post('/token', form)).toMatchObject({ status: 200 });
});

test('a code is useless at another redirect URI [A8]', async () => {
  const world = await openTokenWorld({});
  const form = { ...(await world.allow()), redirect_uri: `${redirectUri}/other` };
  expect(await world.post('/token', form)).toMatchObject(refused);
});

describe('the verifier', () => {
  test.each([
    ['wrong', { code_verifier: 'w'.repeat(43) }],
    ['empty', { code_verifier: '' }],
    ['too long', { code_verifier: 'w'.repeat(129) }],
  ])('is refused when it is %s [S8]', async (_, change) => {
    const world = await openTokenWorld({});
    const form = { ...(await world.allow()), ...change };
    expect(await world.post('/token', form)).toMatchObject(refused);
  });

  test('is refused when it is missing [S8]', async () => {
    const world = await openTokenWorld({});
    const { code_verifier, ...form } = await world.allow();
    expect(await world.post('/token', form)).toMatchObject(refused);
  });

  test('is refused when it is short, even if it belongs to the challenge [S8, A9]', async () => {
    const world = await openTokenWorld({});
    const form = await world.allow({}, { codeChallenge: codeChallengeOf('short') });
    expect(await world.post('/token', { ...form, code_verifier: 'short' })).toMatchObject(refused);
  });

  test('is not its own challenge: there is no downgrade to plain [A9]', async () => {
    const world = await openTokenWorld({});
    const verifier = 'p'.repeat(43);
    const form = await world.allow({}, { codeChallenge: verifier });
    expect(await world.post('/token', { ...form, code_verifier: verifier })).toMatchObject(refused);
  });

  test('opens no code that had no challenge [S8, A9]', async () => {
    const world = await openTokenWorld({});
    const form = await world.allow({}, { codeChallenge: '' });
    expect(await world.post('/token', form)).toMatchObject(refused);
  });
});

test('the implicit and password grants do not exist [R1]', async () => {
  const world = await openTokenWorld({});
  for (const grant_type of ['password', 'implicit', 'urn:made:up']) {
    const form = { grant_type, client_id: 'app', username: 'ann', password: 'x' };
    expect(await world.post('/token', form)).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    });
  }
});

test('a client gets tokens only by grants that it registered for', async () => {
  const world = await openTokenWorld({});
  const form = { grant_type: 'client_credentials', client_id: 'app' };
  expect(await world.post('/token', form)).toMatchObject({
    status: 400,
    body: { error: 'unauthorized_client' },
  });
});

test('a repeated parameter is refused', async () => {
  const world = await openTokenWorld({});
  const form = new URLSearchParams(await world.allow()).toString();
  expect(await world.post('/token', `${form}&code=again`)).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  });
});

test('a person sees what they allowed, and takes it back at once [R4]', async () => {
  const world = await openTokenWorld({});
  const { access_token } = await world.signIn();
  await world.signIn({ clientId: 'other' as ClientId, accountId: 'bob' as AccountId });
  const [grant, ...rest] = await world.tokens.grants.list('ann' as AccountId);
  expect(rest).toEqual([]);
  expect(grant).toMatchObject({ clientId: 'app', scope: ['swap.read', 'subscriptions.read'] });
  await world.tokens.grants.revoke(grant!.id);
  expect(await world.enter(access_token)).toBe(401);
  expect(await world.tokens.grants.list('ann' as AccountId)).toEqual([]);
});
