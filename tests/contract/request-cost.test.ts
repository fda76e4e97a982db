import { expect, onTestFinished, test } from 'vitest';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import type { Worker } from '../../src/kernel/process/worker.ts';
import { ethereum } from '../../src/swap/deployments/chains/ethereum.ts';
import { parseAddress } from '../../src/swap/model.ts';
import { countQueries, type QueryCount } from '../support/count-queries.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openQuotes } from '../support/open-quotes.ts';
import {
  formText,
  openTestAuthorization,
  type TestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';
import { openWorld } from '../support/open-world.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';

const [, { createStore }] = migratedEngines;
const redirect_uri = 'http://localhost:3000/callback';

/** Processes that issue tokens on one PostgreSQL, on a fake clock. */
async function openProcesses(processes: number) {
  const clock = createFakeClock();
  const store = await createStore();
  const nodes: { service: TestAuthorization; count: QueryCount }[] = [];
  for (let n = 0; n < processes; n++) {
    const { database, count } = countQueries(await store.open());
    const service = await openTestAuthorization({ database, environment: withOwner, clock });
    nodes.push({ service, count });
  }
  return {
    service: nodes[0]!.service,
    nodes,
    /** Sends a request to one process after another. Returns the queries and transactions of each. */
    async each(ask: (service: TestAuthorization) => Promise<{ status: number }>) {
      const asked: Pick<QueryCount, 'queries' | 'transactions'>[] = [];
      for (const { service, count } of nodes) {
        const before = { ...count };
        expect((await ask(service)).status).toBe(200);
        asked.push({
          queries: count.queries - before.queries,
          transactions: count.transactions - before.transactions,
        });
      }
      return asked;
    },
  };
}

test.each([1, 4])(
  'a token that a client gets for itself takes no query, with %i processes [N11]',
  async (processes) => {
    const { service, each } = await openProcesses(processes);
    const { client_id, client_secret } = await service.register({
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_post',
    });
    const form = { grant_type: 'client_credentials', client_id, client_secret };
    const ask = (asked: TestAuthorization) => asked.post('/token', form);
    // The first use is stored; after that each process has the client in its cache.
    for (let uses = 0; uses < 2; uses++) await each(ask);
    for (const count of await each(ask)) expect(count).toEqual({ queries: 0, transactions: 0 });
  },
);

test.each([1, 4])(
  'a refresh takes a query to find and one to spend the token, with %i processes [N11]',
  async (processes) => {
    const { service, each } = await openProcesses(processes);
    const { client_id } = await service.register();
    const { codeVerifier, codeChallenge } = createPkce();
    const request = formText({
      client_id,
      redirect_uri,
      response_type: 'code',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    });
    const answer = await service.decide(`/authorize?${request}`);
    const code = answer.searchParams.get('code') ?? '';
    const redeem = { grant_type: 'authorization_code', client_id, code, redirect_uri };
    const tokens = await service.post('/token', { ...redeem, code_verifier: codeVerifier });
    let refresh_token = String(tokens.body.refresh_token);
    const refresh = async (asked: TestAuthorization) => {
      const form = { grant_type: 'refresh_token', client_id, refresh_token };
      const refreshed = await asked.post('/token', form);
      refresh_token = String(refreshed.body.refresh_token);
      return refreshed;
    };
    await each(refresh);
    for (const count of await each(refresh)) expect(count).toEqual({ queries: 2, transactions: 0 });
  },
);

test.each(['/register', '/par', '/device_authorization', '/token', '/introspect', '/revoke'])(
  'POST %s reads as many rows after a hundred as after ten [N11]',
  async (path) => {
    const { database, count } = countQueries(await (await createStore()).open());
    const service = await openTestAuthorization({ database });
    const client = await service.register({
      grant_types: [
        'client_credentials',
        'authorization_code',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      token_endpoint_auth_method: 'client_secret_post',
    });
    const { client_id, client_secret } = client;
    const post = (to: string, form: Record<string, string>) =>
      service.post(to, { client_id, client_secret, ...form });
    const take = () => post('/token', { grant_type: 'client_credentials' });
    const request = { redirect_uri, response_type: 'code', code_challenge_method: 'S256' };
    const asks: Record<string, (token: string) => Promise<object>> = {
      '/register': () => service.register(),
      '/par': () => post('/par', { ...request, code_challenge: createPkce().codeChallenge }),
      '/device_authorization': () => post('/device_authorization', {}),
      '/token': take,
      '/introspect': (token) => post('/introspect', { token }),
      '/revoke': (token) => post('/revoke', { token }),
    };
    const rows: number[] = [];
    for (let times = 0; times < 100; times++) {
      const { access_token } = (await take()).body;
      const before = count.rows;
      expect(await asks[path]?.(String(access_token))).not.toHaveProperty('body.error');
      rows.push(count.rows - before);
    }
    const sum = (some: number[]) => some.reduce((total, read) => total + read, 0);
    // A row of the rate limit lasts for thirty requests.
    expect(sum(rows.slice(70))).toBeLessThanOrEqual(sum(rows.slice(10, 40)) + 1);
  },
);

test('every process learns of a revocation from its notification, without a query [N11, R4]', async () => {
  const { service, nodes } = await openProcesses(4);
  const { client_id, client_secret } = await service.register({
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'client_secret_post',
  });
  const form = { client_id, client_secret };
  for (const { service } of nodes) {
    const isIt = ({ name }: Worker) => name === 'revocations';
    startWorker(service.authorization.workers.find(isIt)!);
  }
  /** The queries of each process until all of them refuse the token. */
  const revoke = async () => {
    const issued = await service.post('/token', { ...form, grant_type: 'client_credentials' });
    const token = String(issued.body.access_token);
    const areActive = () =>
      Promise.all(
        nodes.map(async (node) => {
          const { body } = await node.service.post('/introspect', { ...form, token });
          return body.active;
        }),
      );
    expect(await areActive()).toEqual(nodes.map(() => true));
    const before = nodes.map(({ count }) => count.queries);
    await service.post('/revoke', { ...form, token });
    await eventually(async () => expect(await areActive()).toEqual(nodes.map(() => false)));
    return nodes.map(({ count }, n) => count.queries - before[n]!);
  };
  // By the second revocation each process has read the client once, and has it in its cache.
  await revoke();
  expect(await revoke()).toEqual([1, 0, 0, 0]);
});

test('a quote writes nothing and takes no query once its pools are known [N11]', async () => {
  const world = await openWorld();
  onTestFinished(() => world.close());
  let count: QueryCount | undefined;
  const quotes = await openQuotes({
    deployment: ethereum,
    urls: [world.server.url],
    wrap: (database) => {
      const counted = countQueries(database);
      count = counted.count;
      return counted.database;
    },
  });
  onTestFinished(() => quotes.close());
  const quote = () =>
    quotes.quote({
      tokenIn: world.token('WBTC'),
      tokenOut: world.token('DAI'),
      amountIn: 10n ** 7n,
      sender: parseAddress('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'),
    });
  await quote();
  const before = { ...count };
  for (let times = 0; times < 3; times++) await quote();
  expect(count).toEqual(before);
});
