import { describe, expect, it } from 'vitest';
import { createAllowingBrowser } from '../support/allowing-browser.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { makeTemporaryDirectory, runTradewind, useServer } from '../support/run-tradewind.ts';
import { visit } from '../support/stand-in-browser.ts';

const password = 'correct-horse-battery';
const server = useServer({ environment: { TRADEWIND_OWNER_PASSWORD: password } });

/** A shell whose browser signs in at the server and allows access. */
async function openShell() {
  const { url } = server;
  const environment = {
    TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
    TRADEWIND_KEYRING: 'off',
    BROWSER: createAllowingBrowser(password),
  };
  return { url, run: (...args: string[]) => runInProcess(args, { environment }) };
}

const signInOnce = expect.stringMatching(/^Sign in at \S+\n$/);

describe('the commands for MCP servers, at our own', () => {
  it('sign in with consent, list tools, call one, and sign out', async () => {
    const { run } = await openShell();
    const login = await run('login', server.url, '--json');
    expect(login).toMatchObject({ code: 0 });
    expect(JSON.parse(login.stdout)).toMatchObject({
      signedIn: true,
      grants: [
        {
          resource: server.url,
          clientId: 'tradewind-command-line',
          subject: expect.any(String),
          scope: 'swap.read subscriptions.read subscriptions.write',
        },
      ],
    });
    const tools = await run('tools', server.url, '--json');
    expect(tools).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(tools.stdout).tools).toContainEqual(
      expect.objectContaining({ name: 'list_chains' }),
    );
    const called = await run('call', server.url, 'list_chains', '{}', '--json');
    expect(called).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(called.stdout).structuredContent).toMatchObject({
      chains: expect.any(Array),
    });
    expect(await run('logout', server.url, '--json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"isRevoked":true'),
    });
    expect((await run('whoami', server.url)).code).toBe(1);
  });

  it('ask for consent once for login, tools and the subscription commands [C9]', async () => {
    const { run, url } = await openShell();
    expect(await run('login', url)).toMatchObject({ code: 0, stderr: signInOnce });
    const target = ['//swap/chains/1', 'tradewind.swap.rpcs.v1.refreshed'];
    const subscribing = ['subscribe', ...target, '--topic', 'projects/p/topics/t'];
    expect(await run(...subscribing, '--server', url)).toMatchObject({ code: 0, stderr: '' });
    expect(await run('subscriptions', 'list', '--server', url)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('//swap/chains/1'),
    });
    const asked = JSON.stringify({ eventTypes: ['tradewind.swap.rpcs.v1.refreshed'] });
    expect(await run('call', url, 'list_subscriptions', asked)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('//swap/chains/1'),
    });
  });

  it('show and end every grant for a server, whatever path it is for', async () => {
    const { run, url } = await openShell();
    expect(await run('login', `${url}/mcp`)).toMatchObject({ code: 0, stderr: signInOnce });
    const listed = await run('subscriptions', 'list', '--server', url);
    expect(listed).toMatchObject({ code: 0, stderr: signInOnce });
    const held = JSON.parse((await run('whoami', url, '--json')).stdout);
    expect(held).toMatchObject({
      signedIn: true,
      grants: [
        { resource: `${url}/mcp`, scope: expect.stringContaining('swap.read subscriptions.read') },
        { resource: url, scope: 'subscriptions.read' },
      ],
    });
    // Subscriptions of an earlier shell are listed first: the server takes both for the same program of one person.
    expect((await run('logout', `${url}/mcp`)).stdout).toMatch(
      /Signed out of \S+\/mcp\.\nSigned out of \S+\d\.\n$/,
    );
    expect(await run('whoami', url)).toMatchObject({ code: 1 });
    expect((await run('logout', url)).stdout).toBe(`No grant was kept for ${url}.\n`);
  });

  it('sign in on another device, by the code that they show [C12]', async () => {
    const command = runTradewind(['login', server.url, '--device'], {
      TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
      TRADEWIND_KEYRING: 'off',
      BROWSER: '/nonexistent/browser',
    });
    const address = await command.match(/Or open (\S+)/);
    expect(address).toContain(await command.match(/and enter (\S+)/));
    await expect(visit(address, { password })).rejects.toThrow(/Connected/);
    expect(await command.ended).toBe(0);
    expect(command.output().stdout).toMatch(/Subject +\S+/);
  });

  it('act for a client that the environment names, without any person [C7, C9]', async () => {
    const registered = await fetch(`${server.url}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'A service',
        grant_types: ['client_credentials'],
        token_endpoint_auth_method: 'client_secret_basic',
        scope: 'swap.read',
      }),
    });
    const { client_id, client_secret } = (await registered.json()) as Record<string, string>;
    const call = async (secret = '') => {
      const environment = {
        TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
        TRADEWIND_KEYRING: 'off',
        TRADEWIND_CLIENT_ID: client_id ?? '',
        TRADEWIND_CLIENT_SECRET: secret,
        BROWSER: '/nonexistent/browser',
      };
      return runInProcess(['call', server.url, 'list_chains', '{}', '--json'], { environment });
    };
    const called = await call(client_secret);
    expect(called).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(called.stdout).structuredContent).toHaveProperty('chains');
    expect(await call('of another')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('its credentials are wrong: check them'),
    });
  });
});
