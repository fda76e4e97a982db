import { expect, test } from 'vitest';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import {
  formText,
  issuer,
  openTestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';
import { migratedEngines } from '../support/test-engines.ts';

const redirect_uri = 'http://localhost:3000/callback';

test('on PostgreSQL any leg of the flow may land on any process [R8]', async () => {
  const postgres = migratedEngines.find(({ engine }) => engine === 'postgres');
  const store = await postgres?.createStore();
  const clock = createFakeClock();
  const start = async () =>
    openTestAuthorization({ database: (await store?.open())!, environment: withOwner, clock });
  const [one, other] = [await start(), await start()];

  const { client_id } = await one.register();
  const { codeVerifier, codeChallenge } = createPkce();
  const pushed = await other.post('/par', {
    client_id,
    redirect_uri,
    response_type: 'code',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  });
  const request = formText({ client_id, request_uri: String(pushed.body.request_uri) });
  const { headers } = await one.request(`/authorize?${request}`);
  const answer = await other.decide(headers.get('location') ?? '');
  const code = answer.searchParams.get('code') ?? '';
  const redeem = { grant_type: 'authorization_code', client_id, code, redirect_uri };
  const tokens = await one.post('/token', { ...redeem, code_verifier: codeVerifier });
  expect(tokens.status).toBe(200);
  const refresh_token = String(tokens.body.refresh_token);
  const refresh = { grant_type: 'refresh_token', client_id, refresh_token };
  expect((await other.post('/token', refresh)).status).toBe(200);
});

test('a client that one process removes is refused by the others within a second, and holds nothing [R4]', async () => {
  const postgres = migratedEngines.find(({ engine }) => engine === 'postgres');
  const store = await postgres?.createStore();
  // In the middle of a second, so that the next second begins while the client is still cached.
  const clock = createFakeClock(Date.UTC(2026, 0, 1) + 500);
  const start = async () => openTestAuthorization({ database: (await store?.open())!, clock });
  const [one, other] = [await start(), await start()];
  const { client_id, client_secret, registration_access_token } = await one.register({
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'client_secret_post',
  });
  const ask = ({ post }: typeof one) =>
    post('/token', { grant_type: 'client_credentials', client_id, client_secret });
  // No process caches a client at its first use; at the second use, the process that was asked does.
  for (const process of [one, other, other]) expect((await ask(process)).status).toBe(200);

  const headers = { Authorization: `Bearer ${registration_access_token}` };
  await one.request(`/register/${client_id}`, { method: 'DELETE', headers });
  expect((await ask(one)).status).toBe(401);
  clock.advance(899);
  const late = await ask(other);
  expect(late.status).toBe(200);
  clock.advance(1);
  expect((await ask(other)).status).toBe(401);

  const authorization = `Bearer ${late.body.access_token}`;
  const entering = new Request(`${issuer}/mcp`, { headers: { authorization } });
  expect((await one.authorization.guard.check(entering)).principal).toBeUndefined();
});
