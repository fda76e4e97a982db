import { describe, expect, it } from 'vitest';
import { createAllowingBrowser } from '../support/allowing-browser.ts';
import { makeTemporaryDirectory, runTradewind, serve } from '../support/run-tradewind.ts';

const password = 'correct-horse-battery';

describe('the commands for context servers, at our own', () => {
  it('sign in with consent, list tools, call one, and sign out', async () => {
    const server = await serve({ environment: { TRADEWIND_OWNER_PASSWORD: password } });
    const environment = {
      TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
      TRADEWIND_KEYRING: 'off',
      BROWSER: createAllowingBrowser(password),
    };
    const run = async (...args: string[]) => {
      const command = runTradewind(args, environment);
      const code = await command.ended;
      return { code, ...command.output() };
    };
    const login = await run('login', server.url, '--json');
    expect(login).toMatchObject({ code: 0 });
    expect(JSON.parse(login.stdout)).toMatchObject({
      signedIn: true,
      resource: `${server.url}/mcp`,
      subject: expect.any(String),
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
      stdout: '{"wasHeld":true,"isRevoked":true}\n',
    });
    expect((await run('whoami', server.url)).code).toBe(1);
  });
});
