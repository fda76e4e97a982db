import { describe, expect, it } from 'vitest';
import { createAuthorizedFetch, openVault } from '../../src/authorization/client/index.ts';
import { allowAtOnce } from '../support/allow-at-once.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { startChild } from '../support/start-child.ts';
import { type SdkServer, startSdkServer } from '../support/start-sdk-server.ts';
import { testRounds } from '../support/test-rounds.ts';

/** 50 is the proof: `TEST_ROUNDS=50`. */
const processes = Math.min(testRounds, 50);
const child = new URL('children/use-shared-grant.ts', import.meta.url);

/** The status of the stranger's `/mcp` for a GET with a valid token. */
const letIn = '405';

async function signIn(server: SdkServer): Promise<string> {
  const directory = createDataDir();
  const vault = openVault({ directory, keyring: undefined });
  const fetchAuthorized = await createAuthorizedFetch({
    serverUrl: server.url,
    vault,
    openBrowser: allowAtOnce,
  });
  expect(String((await fetchAuthorized(server.url)).status)).toBe(letIn);
  return directory;
}

async function useGrant(server: SdkServer, directory: string, requests: number) {
  const children = Array.from({ length: processes }, () =>
    startChild(child, [server.url, directory, String(requests)]),
  );
  await Promise.all(children.map(({ ended }) => ended()));
  return children.flatMap(({ lines }) => lines);
}

describe(`${processes} processes with one grant, whose refresh tokens work once`, () => {
  it('refresh once when it is refused to all of them [C13, A8]', async () => {
    const server = await startSdkServer();
    const directory = await signIn(server);
    server.accessTokens.clear();
    expect(await useGrant(server, directory, 1)).toEqual(Array(processes).fill(letIn));
    expect(server.refreshes()).toBe(1);
  });

  it('spend no refresh token twice though all of them refresh all the time [C13, A8]', async () => {
    // Shorter than the client's leeway, so that every request finds an expired token.
    const server = await startSdkServer({ lifetimeSeconds: 9 });
    const directory = await signIn(server);
    expect(await useGrant(server, directory, 3)).toEqual(Array(processes * 3).fill(letIn));
    expect(server.refreshes()).toBeGreaterThan(processes);
    expect(server.refreshTokens.size).toBe(1);
  });
});
