import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createGrants } from '../../src/authorization/grants/grants.ts';
import { openRevocations } from '../../src/authorization/keys/revocations.ts';
import type { AccountId } from '../../src/authorization/model/account.ts';
import type { ClientId } from '../../src/authorization/model/client.ts';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { systemRandom as random } from '../../src/kernel/model/random.ts';
import { systemClock as clock } from '../../src/kernel/wait/clock.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { openTokenWorld } from '../support/open-token-world.ts';
import { serve } from '../support/run-tradewind.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { testRounds } from '../support/test-rounds.ts';

/** 1,000 codes are the proof, with 200 rounds; ordinary runs have 50. */
const codes = testRounds * 5;
const attempts = 20;
const timeout = 300_000 + codes * 1_000;

test('one of 20 concurrent redemptions of a code over two processes on PostgreSQL succeeds [R8, A8]', {
  timeout,
}, async ({ annotate }) => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const environment = {
    TRADEWIND_DATABASE_URL: postgres.url,
    TRADEWIND_SECRET_KEY: 'a secret that both processes bring with them',
    TRADEWIND_SERVICES: 'authorization',
  };
  const servers = [await serve({ environment }), await serve({ environment })];
  const redirectUri = 'http://localhost:7777/callback';
  const registration = await fetch(`${servers[0]!.url}/register`, {
    method: 'POST',
    body: JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
  });
  const { client_id } = (await registration.json()) as { client_id: ClientId };

  const database = await openDatabase({ dataDir: '', url: postgres.url });
  onTestFinished(() => database.close());
  // Issues codes, as a person's consent does. This process issues no tokens.
  const revocations = await openRevocations({ database, clock });
  const grants = createGrants({ database, revocations, clock, random });
  const dispatcher = new Agent({ connections: attempts });
  onTestFinished(() => dispatcher.close());

  for (let count = 0; count < codes; count++) {
    const { codeVerifier, codeChallenge } = createPkce(random);
    const grant = {
      accountId: 'ann' as AccountId,
      clientId: client_id,
      scope: ['swap.read'] as const,
      resources: [],
      identityProviderSessionId: undefined,
    };
    const binding = { redirectUri, codeChallenge, dpopThumbprint: undefined };
    const code = await grants.transaction((tx, revoke) =>
      grants.issueCode({ tx, revoke }, grant, binding),
    );
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id,
      code,
      code_verifier: codeVerifier,
      redirect_uri: redirectUri,
    }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const statuses = await Promise.all(
      Array.from({ length: attempts }, async (_, attempt) => {
        const url = `${servers[attempt % 2]!.url}/token`;
        const answer = await request(url, { method: 'POST', headers, body, dispatcher });
        await answer.body.dump();
        return answer.statusCode;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // Failures beyond the limit of R6 get 429.
    expect(statuses.filter((status) => ![200, 400, 429].includes(status))).toEqual([]);
  }
  await annotate(`${codes} codes, ${codes * attempts} attempts, one success each`);
});

test('one of 20 concurrent redemptions of a code on the embedded store succeeds [R8, A8]', {
  timeout,
}, async ({ annotate }) => {
  const database = await openDatabase({ dataDir: createDataDir() });
  onTestFinished(() => database.close());
  const world = await openTokenWorld({ database, clock });
  for (let count = 0; count < codes; count++) {
    const form = await world.allow();
    const answers = await Promise.all(
      Array.from({ length: attempts }, () => world.post('/token', form)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  }
  await annotate(`${codes} codes, ${codes * attempts} attempts, one success each`);
});
