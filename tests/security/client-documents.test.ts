import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { generateKeyPair, SignJWT } from 'jose';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  createClientDocuments,
  isClientDocumentUrl,
} from '../../src/authorization/clients/client-documents.ts';
import { parseNetworks } from '../../src/kernel/model/network.ts';
import { createOutboundHttp } from '../../src/kernel/outbound/outbound-http.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { issuer, openTestAuthorization } from '../support/open-test-authorization.ts';
import { testScopes } from '../support/test-scopes.ts';

const pem = (name: string) =>
  readFileSync(join(import.meta.dirname, '../support/certificates', `${name}.pem`), 'utf8');

/** A web server on this machine with a certificate for localhost. It counts connections and records requests. */
type Site = {
  readonly origin: string;
  readonly asked: string[];
  connections: number;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
};

let site: Site;
let clock: FakeClock;

beforeEach(async () => {
  const server = createServer(
    { cert: pem('localhost'), key: pem('localhost-key') },
    (request, response) => {
      site.asked.push(request.url ?? '');
      site.answer(request, response);
    },
  );
  server.on('connection', () => {
    site.connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a listening TCP server has this form of address
  site = { origin: `https://localhost:${port}`, asked: [], connections: 0, answer: describeItself };
  clock = createFakeClock();
});

describe('a client described by a document', () => {
  test('is known by the address of the document [L4]', async () => {
    const clientId = `${site.origin}/client.json`;
    expect(await open('loopback').find(clientId)).toMatchObject({
      clientId,
      origin: 'document',
      name: 'A client',
      redirectUris: ['https://app.example.com/callback'],
      grantTypes: ['authorization_code', 'refresh_token'],
      authentication: 'none',
      secretHash: undefined,
    });
  });

  test('is fetched once for concurrent callers, and again when it has expired [L4]', async () => {
    const documents = open('loopback');
    const clientId = `${site.origin}/client.json`;
    await Promise.all([1, 2, 3].map(() => documents.find(clientId)));
    clock.advance(119_000);
    await documents.find(clientId);
    expect(site.asked).toHaveLength(1);
    clock.advance(1_000);
    await documents.find(clientId);
    expect(site.asked).toHaveLength(2);
  });

  test('is not asked for again at once when it failed [A7]', async () => {
    const documents = open('loopback');
    site.answer = (_request, response) => response.writeHead(500).end();
    for (let count = 0; count < 3; count++) {
      await expect(documents.find(`${site.origin}/client.json`)).rejects.toThrow(/answers 500/);
    }
    expect(site.asked).toHaveLength(1);
  });

  test.each([
    ['names another client', { client_id: 'https://evil.example/client.json' }],
    ['names no client', { client_id: undefined }],
    ['holds a secret', { client_secret: 'x' }],
    ['has a secret elsewhere', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['has no redirect URI', { redirect_uris: [] }],
    ['has a bad redirect URI', { redirect_uris: ['http://evil.example/callback'] }],
  ])('is refused when the document %s [L4]', async (_what, change) => {
    site.answer = (request, response) => describeItself(request, response, change);
    await expect(open('loopback').find(`${site.origin}/client.json`)).rejects.toMatchObject({
      code: 'invalid_client',
    });
  });

  test('never acts for itself, as no person would have agreed [L4]', async () => {
    const grant_types = ['client_credentials', 'authorization_code'];
    const change = {
      grant_types,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'x' }] },
    };
    site.answer = (request, response) => describeItself(request, response, change);
    const client = await open('loopback').find(`${site.origin}/client.json`);
    expect(client.grantTypes).toEqual(['authorization_code']);
  });

  test('is not followed to where a redirect leads [A7]', async () => {
    site.answer = ({ url }, response) => {
      if (url === '/client.json') response.writeHead(302, { Location: '/elsewhere.json' }).end();
      else response.end('{}');
    };
    await expect(open('loopback').find(`${site.origin}/client.json`)).rejects.toThrow(
      /answers 302/,
    );
    expect(site.asked).toEqual(['/client.json']);
  });

  test('is not read beyond 16 KiB [A7]', async () => {
    let sent = 0;
    site.answer = (_request, response) => {
      const more = () => {
        while (!response.destroyed && sent < 100_000_000 && response.write('x'.repeat(16_384)))
          sent += 16_384;
        response.once('drain', more);
      };
      more();
    };
    await expect(open('loopback').find(`${site.origin}/client.json`)).rejects.toThrow(
      /could not be read/,
    );
    expect(sent).toBeLessThan(10_000_000);
  });

  test('is not waited for longer than 5 seconds [A7]', async () => {
    const arrived = Promise.withResolvers<void>();
    site.answer = () => arrived.resolve(); // never answers
    const finding = open('loopback').find(`${site.origin}/client.json`);
    finding.catch(() => {});
    await arrived.promise;
    clock.advance(5_000);
    await expect(finding).rejects.toThrow(/could not be read/);
  });

  test.each([
    'https://localhost:PORT/client.json',
    'https://127.0.0.1:PORT/client.json',
    'https://[::1]:PORT/client.json',
    'https://[::ffff:7f00:1]:PORT/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/client.json',
    'https://rebound.example.com:PORT/client.json',
  ])('is never fetched from a private network, such as at %s [A7]', async (address) => {
    const clientId = address.replace('PORT', new URL(site.origin).port);
    expect(isClientDocumentUrl(clientId)).toBe(true);
    const refusal = await open('nothing')
      .find(clientId)
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'invalid_client',
      message: expect.stringMatching(/could not be read/),
    });
    expect(String(refusal)).not.toMatch(/loopback|private|refused|127/i);
    expect(site.connections).toBe(0);
  });

  test.each([
    'http://app.example.com/client.json',
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com/client.json#x',
    'https://user@app.example.com/client.json',
    'https://2130706433/client.json',
    'https://0177.0.0.1/client.json',
    'https://app.example.com/a/../client.json',
    'https://APP.example.com/client.json',
    'file:///etc/passwd',
  ])('cannot have the id %s [A7, L4]', (clientId) => {
    expect(isClientDocumentUrl(clientId)).toBe(false);
  });

  test('is refused by the service itself when its address is ours [A7]', async () => {
    const service = await openTestAuthorization();
    const client_id = `${site.origin}/client.json`;
    const response = await service.request(`/authorize?${new URLSearchParams({ client_id })}`);
    expect(response.status).toBe(400);
    expect(site.connections).toBe(0);
  });

  test('is not looked for where only the operator makes clients', async () => {
    const service = await openTestAuthorization({ environment: { TRADEWIND_REGISTRATION: 'off' } });
    const client_id = `${site.origin}/client.json`;
    const response = await service.request(`/authorize?${new URLSearchParams({ client_id })}`);
    expect(await response.text()).toContain('No client is known');
  });
});

describe('addresses in the metadata of a client', () => {
  test('are never looked at for display [A7]', async () => {
    const service = await openTestAuthorization();
    const address = `${site.origin}/logo.png`;
    await service.register({ logo_uri: address, client_uri: address, policy_uri: address });
    expect(site.connections).toBe(0);
  });

  test('are not fetched for keys from a private network [A7]', async () => {
    const service = await openTestAuthorization();
    const { client_id } = await service.register({
      token_endpoint_auth_method: 'private_key_jwt',
      grant_types: ['client_credentials'],
      jwks_uri: `${site.origin}/keys`,
    });
    const { privateKey } = await generateKeyPair('EdDSA');
    const assertion = new SignJWT({ jti: 'once' })
      .setProtectedHeader({ alg: 'EdDSA', kid: '1' })
      .setIssuer(String(client_id))
      .setSubject(String(client_id))
      .setAudience(issuer)
      .setExpirationTime(new Date(service.clock.now() + 60_000));
    const answer = await service.post('/token', {
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertion.sign(privateKey),
    });
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(site.connections).toBe(0);
  });
});

function describeItself(
  request: IncomingMessage,
  response: ServerResponse,
  change: object = {},
): void {
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'public, max-age=120',
  });
  const document = {
    client_id: `${site.origin}${request.url}`,
    client_name: 'A client',
    redirect_uris: ['https://app.example.com/callback'],
    ...change,
  };
  response.end(JSON.stringify(document));
}

/** Documents read by a client that trusts the site's certificate and finds it under every name. */
function open(allowed: 'loopback' | 'nothing') {
  const outbound = createOutboundHttp({
    allowNetworks: allowed === 'loopback' ? parseNetworks(['loopback']) : [],
    clock,
    certificateAuthorities: pem('authority'),
    resolve: async () => ['127.0.0.1'],
  });
  onTestFinished(() => outbound.close());
  return createClientDocuments({ outbound, scopes: testScopes, clock });
}
