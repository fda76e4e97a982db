import { expect, test } from 'vitest';
import { issuer, openTokenWorld } from '../support/open-token-world.ts';

const metadata = `resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp"`;

const at = (authorization?: string, query = '') =>
  new Request(`${issuer}/mcp${query}`, {
    headers: authorization === undefined ? {} : { authorization },
  });

test('a request without a token gets 401 and a challenge without error [S1, L1, L5]', async () => {
  const { fetch } = await openTokenWorld({});
  const response = await fetch(at());
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe(`Bearer scope="swap.read", ${metadata}`);
});

test.each(['Bearer nonsense', 'Bearer a.b.c', 'bearer a.b.c'])(
  'the header %j gets 401 with invalid_token [S1]',
  async (header) => {
    const { fetch } = await openTokenWorld({});
    const response = await fetch(at(header));
    expect(response.status).toBe(401);
    const challenge = response.headers.get('www-authenticate');
    expect(challenge).toMatch(/^Bearer error="invalid_token"/);
    expect(challenge).toContain(metadata);
    expect(await response.json()).toMatchObject({ error: 'invalid_token' });
  },
);

test('a revoked token gets 401 with invalid_token [S1]', async () => {
  const world = await openTokenWorld({});
  const { access_token } = await world.signIn();
  await world.post('/revoke', { client_id: 'app', token: access_token });
  const response = await world.fetch(at(`Bearer ${access_token}`));
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
});

test('a scope that is too small gets 403 and the scope that is needed [S2, L5]', async () => {
  const world = await openTokenWorld({});
  const { access_token } = await world.signIn({ scope: ['subscriptions.read'] });
  const response = await world.fetch(at(`Bearer ${access_token}`));
  expect(response.status).toBe(403);
  const challenge = response.headers.get('www-authenticate');
  expect(challenge).toMatch(/^Bearer error="insufficient_scope"/);
  expect(challenge).toContain('scope="swap.read"');
});

test('several scopes are all needed, unless any is enough [S2]', async () => {
  const { tokens, signIn } = await openTokenWorld({});
  const { access_token } = await signIn({ scope: ['swap.read'] });
  const scope = ['swap.read', 'admin'];
  const request = at(`Bearer ${access_token}`);
  expect(await tokens.guard.check(request, { scope })).toHaveProperty('refusal');
  expect(await tokens.guard.check(request, { scope, isAnyEnough: true })).toHaveProperty(
    'principal',
  );
});

test('the challenge names the first scope where any is enough, with a token and without [L5]', async () => {
  const { tokens, signIn } = await openTokenWorld({});
  const { access_token } = await signIn({ scope: ['swap.read'] });
  const requirement = { scope: ['subscriptions.read', 'subscriptions.write'], isAnyEnough: true };
  for (const request of [at(), at(`Bearer ${access_token}`)]) {
    const { refusal } = await tokens.guard.check(request, requirement);
    expect(refusal?.challenges[0]).toContain('scope="subscriptions.read"');
  }
});

test('the second request of a session needs the token as the first did [S3]', async () => {
  const world = await openTokenWorld({});
  const { access_token } = await world.signIn();
  const session = { 'mcp-session-id': 'one-session' };
  const headers = { authorization: `Bearer ${access_token}`, ...session };
  expect((await world.fetch(new Request(`${issuer}/mcp`, { headers }))).status).toBe(200);
  expect((await world.fetch(new Request(`${issuer}/mcp`, { headers: session }))).status).toBe(401);
});

test.each(['access_token', 'token', 'authorization'])(
  'a token in the query parameter %s counts as none [S4]',
  async (name) => {
    const world = await openTokenWorld({});
    const { access_token } = await world.signIn();
    const response = await world.fetch(at(undefined, `?${name}=${access_token}`));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).not.toContain('error=');
  },
);

test('a token of a session that ended at the identity provider is refused [S14]', async () => {
  const alive = new Set(['standing']);
  const world = await openTokenWorld({ isSessionAlive: async (id) => alive.has(id) });
  const { access_token } = await world.signIn({ identityProviderSessionId: 'standing' });
  expect(await world.enter(access_token)).toBe(200);
  alive.clear();
  expect(await world.enter(access_token)).toBe(401);
});

test('no token and no code is in a log [A12]', async () => {
  const world = await openTokenWorld({});
  const form = await world.allow();
  const tokens = (await world.post('/token', form)).body;
  await world.refresh(String(tokens.refresh_token));
  await world.fetch(at(`Bearer ${tokens.access_token}`, `?access_token=${tokens.access_token}`));
  await world.post('/token', { ...form, client_id: 'unknown' });
  const log = world.logged.join('\n');
  expect(log).toContain('/token');
  const secrets = [form.code, form.code_verifier, tokens.access_token, tokens.refresh_token];
  for (const secret of secrets) expect(log).not.toContain(secret);
});
