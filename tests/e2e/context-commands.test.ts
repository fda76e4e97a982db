import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allowAtOnce, redirectOf } from '../support/allow-at-once.ts';
import { createAllowingBrowser } from '../support/allowing-browser.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { makeTemporaryDirectory, runTradewind } from '../support/run-tradewind.ts';
import { startSdkServer } from '../support/start-sdk-server.ts';

async function createShell(browser = createAllowingBrowser()) {
  const environment = {
    TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
    TRADEWIND_KEYRING: 'off',
    BROWSER: browser,
  };
  return { run: (...args: string[]) => runInProcess(args, { environment }), environment };
}

describe('the commands for MCP servers, at a stranger', () => {
  it('list tools and call one, through the whole flow, and need a person once [C1, C9]', async () => {
    const server = await startSdkServer();
    const { run, environment } = await createShell();
    const listed = await run('tools', server.origin, '--json');
    expect(listed).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Sign in at http:.*\/authorize\?/),
    });
    expect(JSON.parse(listed.stdout).tools).toEqual([
      expect.objectContaining({ name: 'add', description: 'Adds two numbers.' }),
    ]);
    const called = await run('call', server.url, 'add', '{"a": 2, "b": 40}', '--json');
    expect(called).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(called.stdout).content).toEqual([{ type: 'text', text: '42' }]);
    expect(await run('call', server.url, 'add', '{"a": 1, "b": 2}')).toMatchObject({
      code: 0,
      stdout: '3\n',
    });
    expect(server.clients.size).toBe(1);
    expect(readdirSync(join(environment.TRADEWIND_DATA_DIR, 'client'))).toContain('master.key');
  });

  it('use the server of the environment if no argument names one [T8]', async () => {
    const server = await startSdkServer();
    const { environment } = await createShell();
    const run = (...args: string[]) =>
      runInProcess(args, { environment: { ...environment, TRADEWIND_PUBLIC_URL: server.url } });
    expect(await run('call', 'add', '{"a": 1, "b": 2}')).toMatchObject({ code: 0, stdout: '3\n' });
    const unknown = await run('call', 'divide');
    expect(unknown).toMatchObject({ code: 1 });
    expect(unknown.stdout + unknown.stderr).toContain('divide');
    const forgotten = await run('call', server.url);
    expect(forgotten).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give the server'),
    });
  });

  it('report that no server answers', async () => {
    const { run } = await createShell();
    const origin = `http://localhost:${await findFreePort()}`;
    const { code, stderr } = await run('tools', origin, '--json');
    expect({ code, ...JSON.parse(stderr) }).toMatchObject({
      code: 1,
      error: {
        code: 'SERVER_UNREACHABLE',
        message: expect.stringContaining(`No server answers at ${origin}:`),
      },
    });
  });

  it('sign in, say who is signed in, and sign out at the server too', async () => {
    const server = await startSdkServer();
    const { run } = await createShell();
    expect(await run('whoami', server.url)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^No grant is kept .*: .* sign in with tradewind login\.\n$/),
    });
    const login = await run('login', server.url, '--json');
    expect(JSON.parse(login.stdout)).toMatchObject({
      signedIn: true,
      grants: [{ scope: 'sums' }],
    });
    const who = await run('whoami', server.url);
    expect(who).toMatchObject({ code: 0, stdout: expect.stringContaining('Scope     sums') });
    for (const token of [...server.accessTokens.keys(), ...server.refreshTokens.keys()]) {
      expect(login.stdout + login.stderr + who.stdout).not.toContain(token);
    }
    expect((await run('logout', server.url)).stdout).toBe(`Signed out of ${server.url}.\n`);
    expect([server.accessTokens.size, server.refreshTokens.size]).toEqual([0, 0]);
    expect((await run('whoami', server.url)).code).toBe(1);
  });

  it('take the pasted redirect where there is no browser [C12]', async () => {
    const server = await startSdkServer();
    const { environment } = await createShell('/nonexistent/browser');
    const command = runTradewind(['login', server.url, '--no-browser'], environment, 'pipe');
    const url = await command.match(/Sign in at (\S+)/);
    await command.match(/Sign in at \S+\nThen paste the address/);
    command.process.stdin?.write('what is wanted?\n');
    await command.match(/not an address/);
    command.process.stdin?.write(`${await redirectOf(url)}\n`);
    expect(await command.ended).toBe(0);
    expect(command.output().stdout).toContain('sums');
  });

  it('go on where a person opens the printed address themselves [C12]', async () => {
    const server = await startSdkServer();
    const { environment } = await createShell('/nonexistent/browser');
    const command = runTradewind(['tools', server.url], environment);
    await allowAtOnce(await command.match(/Sign in at (\S+)/));
    expect(await command.ended).toBe(0);
    expect(command.output().stdout).toContain('add a b');
  });

  it.each([
    [
      'a tool that does not exist',
      ['call', 'URL', 'divide', '{}'],
      1,
      /divide not found.*see tradewind tools/is,
    ],
    ['arguments that are no object', ['call', 'URL', 'add', '[1]'], 2, /not a JSON object/],
    ['an address that is none', ['tools', 'no host'], 2, /is not a URL/],
    [
      'an address of another kind',
      ['tools', 'ftp://x'],
      2,
      /must begin with http:\/\/ or https:\/\//,
    ],
    ['a server that is not there', ['tools', 'http://127.0.0.1:1/mcp'], 1, /127\.0\.0\.1:1/],
  ])('explain %s', async (_what, args, code, message) => {
    const server = await startSdkServer();
    const { run } = await createShell();
    const outcome = await run(...args.map((word) => (word === 'URL' ? server.url : word)));
    expect(outcome.code).toBe(code);
    expect(outcome.stdout + outcome.stderr).toMatch(message);
    expect(outcome.stderr).not.toMatch(/unexpected internal error/);
  });

  it('exit with 130 when interrupted during a sign-in', async () => {
    const server = await startSdkServer();
    const { environment } = await createShell('/nonexistent/browser');
    const command = runTradewind(['login', server.url], environment);
    await command.match(/Sign in at (\S+)/);
    command.process.kill('SIGINT');
    expect(await command.ended).toBe(130);
    expect(server.accessTokens.size).toBe(0);
  });
});
