import { describe, expect, test } from 'vitest';
import { authorizationLimits } from '../../src/authorization/limits.ts';
import { openTestAuthorization } from '../support/open-test-authorization.ts';
import { migratedEngines } from '../support/test-engines.ts';

describe.each(migratedEngines)('what strangers may ask for on $engine', ({ createStore }) => {
  const open = async () => openTestAuthorization({ database: await (await createStore()).open() });

  test('is so many requests of a caller that manage a client, whether or not it may [N5]', async () => {
    const service = await open();
    const { client_id, registration_access_token } = await service.register();
    const call = (method: string, { id = client_id, remoteAddress = '192.0.2.1' } = {}) =>
      service.request(
        `/register/${id}`,
        { method, headers: { Authorization: `Bearer ${registration_access_token}` } },
        { remoteAddress, encrypted: false },
      );
    const { value: limit } = authorizationLimits.configurationRequests;
    expect((await call('GET')).status).toBe(200);
    for (let count = 1; count < limit; count++) {
      expect((await call('GET', { id: 'guessed' })).status).toBe(401);
    }
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const refused = await call(method);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    }
    expect((await call('GET', { remoteAddress: '192.0.2.2' })).status).toBe(200);
    service.clock.advance(60_000);
    expect((await call('DELETE')).status).toBe(204);
  });
});
