import { expect, test } from 'vitest';
import { sql } from '../../src/kernel/database/sql.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { answered, openTokenWorld } from '../support/open-token-world.ts';

const refused = { status: 400, body: { error: 'invalid_grant' } };

test('a refresh token is spent by its use and followed by another [S12]', async () => {
  const clock = createFakeClock();
  const world = await openTokenWorld({ clock });
  const first = await world.signIn();
  const second = answered(await world.refresh(first.refresh_token));
  const third = answered(await world.refresh(second.refresh_token));
  const all = [first, second, third].map(({ refresh_token }) => refresh_token);
  expect(new Set(all).size).toBe(3);
  expect(await world.enter(third.access_token)).toBe(200);
});

test('the predecessor gives the very same successor until that is used, for 30 s [R2]', async () => {
  const clock = createFakeClock();
  const world = await openTokenWorld({ clock });
  const { refresh_token } = await world.signIn();
  const successor = answered(await world.refresh(refresh_token)).refresh_token;
  clock.advance(30_000);
  const again = answered(await world.refresh(refresh_token));
  expect(again.refresh_token).toBe(successor);
  expect(await world.enter(again.access_token)).toBe(200);
  expect(await world.refresh(successor)).toMatchObject({ status: 200 });
});

test('after 30 s the predecessor is reuse, which revokes the family [R1, R2]', async () => {
  const clock = createFakeClock();
  const world = await openTokenWorld({ clock });
  const { refresh_token } = await world.signIn();
  const successor = answered(await world.refresh(refresh_token));
  clock.advance(30_001);
  expect(await world.refresh(refresh_token)).toMatchObject(refused);
  expect(await world.refresh(successor.refresh_token)).toMatchObject(refused);
  expect(await world.enter(successor.access_token)).toBe(401);
});

test('once the successor was used the predecessor is reuse at once [R1, R2]', async () => {
  const world = await openTokenWorld({});
  const { refresh_token } = await world.signIn();
  const second = answered(await world.refresh(refresh_token));
  const third = answered(await world.refresh(second.refresh_token));
  expect(await world.refresh(refresh_token)).toMatchObject(refused);
  expect(await world.refresh(third.refresh_token)).toMatchObject(refused);
  expect(await world.enter(third.access_token)).toBe(401);
});

test('reuse publishes an event, in the transaction that revokes [R1]', async () => {
  const world = await openTokenWorld({});
  await world.database.run(sql`
    INSERT INTO outbox_consumers (consumer, topic, seen_at)
    VALUES ('test', 'authorization.reuse-detected', 0)`);
  const { refresh_token } = await world.signIn();
  const second = answered(await world.refresh(refresh_token));
  await world.refresh(second.refresh_token);
  await world.refresh(refresh_token);
  const [event, ...rest] = await world.database.all<{ payload: string }>(
    sql`SELECT payload FROM work`,
  );
  expect(JSON.parse(event!.payload).payload).toMatchObject({ clientId: 'app', accountId: 'ann' });
  expect(rest).toEqual([]);
});

test('fifty concurrent refreshes all get the same successor, and nobody is logged out [R2, A8]', async () => {
  const world = await openTokenWorld({});
  const { refresh_token } = await world.signIn();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => world.refresh(refresh_token).then(answered)),
  );
  const successors = new Set(answers.map((answer) => answer.refresh_token));
  expect(successors.size).toBe(1);
  expect(await world.refresh([...successors][0]!)).toMatchObject({ status: 200 });
});

test.each(['admin', 'swap.read admin', 'events.publish', 'nonsense'])(
  'a refresh cannot ask for the scope %j that was not granted [A12]',
  async (scope) => {
    const world = await openTokenWorld({});
    const { refresh_token } = await world.signIn();
    expect(await world.refresh(refresh_token, { scope })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
    // The refusal has not spent the token.
    expect(await world.refresh(refresh_token)).toMatchObject({ status: 200 });
  },
);

test('a refresh may ask for less, and the next one for all of it again [S12]', async () => {
  const world = await openTokenWorld({});
  const { refresh_token } = await world.signIn();
  const less = answered(await world.refresh(refresh_token, { scope: 'swap.read' }));
  expect(less.scope).toBe('swap.read');
  const all = answered(await world.refresh(less.refresh_token));
  expect(all.scope).toBe('swap.read subscriptions.read');
});

test('a refresh cannot reach another resource than was granted [A4]', async () => {
  const world = await openTokenWorld({});
  const resources = ['http://localhost:8787/mcp'];
  const { refresh_token } = await world.signIn({ resources });
  for (const resource of ['http://localhost:8787', 'https://context.example/mcp']) {
    expect(await world.refresh(refresh_token, { resource })).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    });
  }
  const { access_token } = answered(await world.refresh(refresh_token));
  expect(await world.enter(access_token, '/mcp')).toBe(200);
  expect(await world.enter(access_token, '/v1/subscriptions')).toBe(401);
});

test('a refresh token is useless to another client, which cannot end it either [A8]', async () => {
  const world = await openTokenWorld({});
  const { refresh_token } = await world.signIn();
  expect(await world.refresh(refresh_token, { client_id: 'other' })).toMatchObject(refused);
  expect(await world.refresh(refresh_token)).toMatchObject({ status: 200 });
});

test('a refresh token that nobody uses ends, and each use gives a full life [S12]', async () => {
  const clock = createFakeClock();
  const world = await openTokenWorld({ clock });
  const month = 30 * 24 * 3_600_000;
  const { refresh_token } = await world.signIn();
  clock.advance(month - 1);
  const next = answered(await world.refresh(refresh_token));
  clock.advance(month);
  expect(await world.refresh(next.refresh_token)).toMatchObject(refused);
});

test.each([
  'x',
  'a.b',
  `${'a'.repeat(22)}.${'b'.repeat(43)}`,
  `${'a'.repeat(22)}.${'b'.repeat(42)}`,
])('refuses %j as a refresh token', async (token) => {
  const world = await openTokenWorld({});
  expect(await world.refresh(token)).toMatchObject(refused);
});
