import { expect, it, vi } from 'vitest';
import {
  createAuthorizedFetch,
  openVault,
  revokeGrants,
} from '../../src/authorization/client/index.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { agreeAtOidc, startOidcWorld } from '../support/start-oidc-world.ts';

it('signs in, refreshes and revokes at oidc-provider, which another origin names [C2, C7, C9, L3, L6]', async () => {
  const { serverUrl, issuer } = await startOidcWorld();
  const openBrowser = vi.fn(agreeAtOidc);
  let ahead = 0;
  const options = {
    serverUrl,
    openBrowser,
    vault: openVault({ directory: createDataDir(), keyring: undefined }),
    clock: { ...systemClock, now: () => Date.now() + ahead },
  };
  const fetchAuthorized = await createAuthorizedFetch(options);
  const first = await (await fetchAuthorized(serverUrl)).json();
  expect(first).toMatchObject({ iss: issuer, aud: serverUrl, sub: 'ada', scope: 'quotes:read' });
  ahead = 3_600_000;
  const second = await (await fetchAuthorized(serverUrl)).json();
  expect(second).toMatchObject({ sub: 'ada' });
  expect((second as { jti: string }).jti).not.toBe((first as { jti: string }).jti);
  expect(openBrowser).toHaveBeenCalledTimes(1);
  expect(await revokeGrants(options)).toHaveLength(1);
});
