import { describe, expect, test } from 'vitest';
import {
  AuthorizationError,
  type AuthorizationErrorCode,
  authorizationErrorStatus,
} from '../../src/authorization/authorization-error.ts';
import { checkForServices } from '../../src/authorization/http/answers.ts';
import { answerWithStatus } from '../../src/kernel/edge/answer-with-status.ts';
import { createEdge } from '../../src/kernel/edge/create-edge.ts';
import type { Mount } from '../../src/kernel/edge/mount.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { createLogger } from '../../src/kernel/telemetry/logger.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { grantToken } from '../support/grant-token.ts';
import { issuer, openTestAuthorization, withOwner } from '../support/open-test-authorization.ts';
import { startIdentityProvider } from '../support/start-identity-provider.ts';
import { createTestBrowser, locationOf } from '../support/test-browser.ts';

/** A person who signed in at the identity provider, and what a program may do on their behalf. */
async function open() {
  const provider = await startIdentityProvider();
  const service = await openTestAuthorization({
    clock: createFakeClock(Date.now()),
    environment: { ...withOwner, ...provider.environment },
  });
  const browser = createTestBrowser(service);
  const left = await browser.submit(await browser.open('/account'), 'third-party');
  const back = await provider.visit(locationOf(left), { login: 'ada' });
  await browser.open(back.pathname + back.search);
  const { access_token } = await grantToken(service, { browser, scope: 'account.manage' });
  return { service, provider, access_token };
}

test.each([
  ['500', 500],
  ['502', 502],
] as const)(
  'while the identity provider answers %s, every operation of management is refused as unavailable [F53]',
  async (_, status) => {
    const { service, provider, access_token } = await open();
    provider.fail(/introspection/, status);
    const { operations } = service.authorization.management.service ?? { operations: [] };
    expect(operations.length).toBeGreaterThan(10);
    service.clock.advance(60_000);
    for (const { method, path, id } of operations) {
      const response = await service.request(path.replaceAll(/\{\w+\}/g, 'x'), {
        method,
        headers: { Authorization: `Bearer ${access_token}` },
      });
      const { error } = (await response.json()) as { error: unknown };
      expect([response.status, response.headers.get('retry-after')], id).toEqual([503, '5']);
      expect(error).toMatchObject({ code: 503, status: 'UNAVAILABLE' });
    }
    expect(service.log.join('\n')).not.toContain('unexpected error');
  },
);

test.each([[{ active: 'false' }], [{ active: 0 }], [{}]])(
  'an identity provider that answers %j about a token has said nothing: unavailable, and not valid [F53]',
  async (answer) => {
    const { service, provider, access_token } = await open();
    const ask = () =>
      service.request('/v1/sessions', {
        headers: { Authorization: `Bearer ${access_token}` },
      });
    provider.fail(/introspection/, answer);
    service.clock.advance(60_000);
    const { status } = await ask();
    expect(status).toBe(503);
    provider.fail(/introspection/, { active: false });
    service.clock.advance(60_000);
    expect((await ask()).status).toBe(401);
  },
);

test('an identity provider that never answers about a token is unavailable after ten seconds [F53, N9]', async () => {
  const { service, provider, access_token } = await open();
  provider.fail(/introspection/, 'hang');
  service.clock.advance(60_000);
  const asleep = service.clock.whenAsleep();
  const asked = service.request('/v1/sessions', {
    headers: { Authorization: `Bearer ${access_token}` },
  });
  await asleep;
  service.clock.advance(10_000);
  expect((await asked).status).toBe(503);
});

/** Every form in which services answer errors, as mounts on an edge whose caller is checked first. */
const forms: Record<string, (check: () => Promise<unknown>) => Omit<Mount, 'paths'>> = {
  'with a status': (check) =>
    answerWithStatus(async () => (await check()) as Response, 'localhost:8787'),
  'of the edge': (check) => ({ answer: async () => (await check()) as Response }),
};
const operation = {
  id: 'ask',
  method: 'GET',
  path: '/ask',
  summary: '',
  description: '',
} as const;

describe.each(Object.keys(forms))('a service that answers in the form %s', (name) => {
  test.each(Object.keys(authorizationErrorStatus) as AuthorizationErrorCode[])(
    'refuses what authorization could not check, and hides what is no refusal: %s [F53]',
    async (code) => {
      const check = checkForServices({
        check: () => Promise.reject(new AuthorizationError(code, 'Ask again later.')),
      });
      const logged: string[] = [];
      const form = forms[name]?.(() => check(new Request(issuer), { scope: [] }));
      const service = {
        name: 'test',
        title: '',
        description: '',
        operations: [{ ...operation, parameters: undefined, answer: undefined, scopes: [] }],
      } as unknown as NonNullable<Mount['service']>;
      const edge = createEdge({
        publicUrl: new URL(issuer),
        trustedProxies: [],
        mounts: [{ ...form, paths: { '/ask': { origins: 'any' } }, service }],
        logger: createLogger({
          level: 'debug',
          format: 'json',
          write: (line) => void logged.push(line),
        }),
        clock: createFakeClock(),
        random: systemRandom,
      });
      const response = await edge.request(`${issuer}/ask`);
      const isPassing = code === 'temporarily_unavailable';
      expect(response.status).toBe(isPassing ? 503 : 500);
      expect(response.headers.get('retry-after')).toBe(isPassing ? '5' : null);
      expect((await response.text()).includes('Ask again later.')).toBe(isPassing);
      expect(logged.join('\n').includes('unexpected error')).toBe(!isPassing);
    },
  );
});
