import { expect, test } from 'vitest';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { formText, openTestAuthorization, withOwner } from '../support/open-test-authorization.ts';
import { testEngines } from '../support/test-engines.ts';

const redirect_uri = 'http://localhost:3000/callback';

test('on PostgreSQL any leg of the flow may land on any process [R8]', async () => {
  const postgres = testEngines.find(({ engine }) => engine === 'postgres');
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
