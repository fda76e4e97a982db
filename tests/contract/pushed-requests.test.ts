import { describe, expect, test } from 'vitest';
import { sql } from '../../src/kernel/database/sql.ts';
import {
  formText,
  issuer,
  openTestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';
import { migratedEngines } from '../support/test-engines.ts';

const redirectUri = 'http://localhost:3000/callback';
const request = {
  redirect_uri: redirectUri,
  response_type: 'code',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  state: 'pushed',
};

describe.each(migratedEngines)('pushed authorization requests on $engine', ({ createStore }) => {
  const open = async (environment = {}) =>
    openTestAuthorization({ environment, database: await (await createStore()).open() });

  test('are taken from a public client and used once by the browser [R5]', async () => {
    const service = await open();
    const { client_id } = await service.register();
    const { status, body, headers } = await service.post('/par', { ...request, client_id });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/),
      expires_in: 90,
    });
    const use = `/authorize?${formText({ client_id, request_uri: String(body.request_uri) })}`;
    const uses = await Promise.all([1, 2, 3, 4, 5].map(() => service.request(use)));
    expect(uses.map((response) => response.status).toSorted()).toEqual([303, 400, 400, 400, 400]);
  });

  test('are taken from a confidential client by its secret, which is not kept [R5, R7]', async () => {
    const service = await open();
    const client = await service.register({ token_endpoint_auth_method: 'client_secret_post' });
    const { client_id, client_secret = '' } = client;
    expect(await service.post('/par', { ...request, client_id })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    const credentials = { client_id, client_secret };
    expect((await service.post('/par', { ...request, ...credentials })).status).toBe(201);
    const rows = await service.database.all(sql`SELECT parameters FROM pushed_requests`);
    expect(JSON.stringify(rows)).not.toContain(client_secret);

    const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
    expect((await service.post('/par', request, { Authorization: basic })).status).toBe(201);
  });

  test('override the parameters that the browser sends [R5]', async () => {
    const service = await open(withOwner);
    const { client_id } = await service.register();
    const { body } = await service.post('/par', { ...request, client_id });
    const use = formText({
      client_id,
      request_uri: String(body.request_uri),
      redirect_uri: 'https://evil.example/',
      state: 'from the browser',
    });
    const { headers } = await service.request(`/authorize?${use}`);
    const answer = await service.decide(headers.get('location') ?? '');
    expect(answer.href).toContain(`${redirectUri}?code=`);
    expect(answer.searchParams.get('state')).toBe('pushed');
    expect(answer.searchParams.get('iss')).toBe(issuer);
  });

  test('work for nobody but their client, and not for long [R5]', async () => {
    const service = await open();
    const { client_id } = await service.register();
    const { client_id: other } = await service.register();
    const push = async () =>
      String((await service.post('/par', { ...request, client_id })).body.request_uri);
    const use = (id: string | undefined, request_uri: string) =>
      service.request(`/authorize?${formText({ client_id: id, request_uri })}`);
    const first = await push();
    expect((await use(other, first)).status).toBe(400);
    expect((await use(client_id, first)).status).toBe(303);
    const second = await push();
    service.clock.advance(90_000);
    expect((await use(client_id, second)).status).toBe(400);
    expect((await use(client_id, 'https://evil.example/request')).status).toBe(400);
  });

  test.each([
    // RFC 9126 section 2.3
    ['an unregistered redirect URI', { redirect_uri: 'https://evil.example/' }, 'invalid_request'],
    ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a reference to another', { request_uri: 'urn:x' }, 'invalid_request'],
    ['another server as resource', { resource: 'https://other.example/' }, 'invalid_target'],
  ])('are refused at once with %s [R5]', async (_what, change, error) => {
    const service = await open();
    const { client_id } = await service.register();
    const answer = await service.post('/par', { ...request, client_id, ...change });
    expect(answer).toMatchObject({ status: 400, body: { error } });
    expect(answer.headers.has('location')).toBe(false);
  });

  test('of devices return a user code', async () => {
    const service = await open();
    const grant_types = ['urn:ietf:params:oauth:grant-type:device_code'];
    const { client_id } = await service.register({ grant_types });
    const answer = await service.post('/device_authorization', { client_id, scope: 'swap.read' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verification_uri: `${issuer}/device`,
      verification_uri_complete: `${issuer}/device?user_code=${answer.body.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    const { client_id: browserOnly } = await service.register();
    expect(await service.post('/device_authorization', { client_id: browserOnly })).toMatchObject({
      status: 400,
      body: { error: 'unauthorized_client' },
    });
  });
});
