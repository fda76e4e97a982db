import { describe, expect, test } from 'vitest';
import { findOperatorCredential } from '../../src/cli/server/management.ts';
import { createAllowingBrowser } from '../support/allowing-browser.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { makeTemporaryDirectory, runTradewind, useServer } from '../support/run-tradewind.ts';

const ownerPassword = 'correct-horse-battery';
const running = useServer({
  environment: { TRADEWIND_REGISTRATION: 'off', TRADEWIND_OWNER_PASSWORD: ownerPassword },
});
const open = useServer({
  environment: { TRADEWIND_REGISTRATION: 'open', TRADEWIND_OWNER_PASSWORD: ownerPassword },
});

const run = (args: readonly string[], environment: Record<string, string>) =>
  runInProcess(args, { environment });

describe('tradewind clients', () => {
  test('makes, lists and removes clients while nobody can register [S10]', async () => {
    const { url, dataDir } = running;
    const environment = { TRADEWIND_DATA_DIR: dataDir };
    const server = ['--server', url, '--json'];

    const grants = ['--grants', 'client_credentials', '--scope', 'swap.read'];
    const added = await run(
      ['clients', 'add', '--name', 'Price bot', ...grants, ...server],
      environment,
    );
    expect(added.code).toBe(0);
    const { client_id, client_secret } = JSON.parse(added.stdout);

    const token = await fetch(`${url}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(await token.json()).toMatchObject({ token_type: 'Bearer', scope: 'swap.read' });

    const listed = await run(['clients', 'list', ...server], environment);
    expect(JSON.parse(listed.stdout).clients).toMatchObject([
      { client_id, client_name: 'Price bot', origin: 'operator' },
    ]);
    expect(listed.stdout).not.toContain(client_secret);
    const shown = await run(['clients', 'list', '--server', url], environment);
    expect(shown.stdout).toMatch(/Price bot\s+operator\s+client_credentials\s+swap\.read/);

    const removal = ['clients', 'remove', client_id, '--yes', ...server];
    expect((await run(removal, environment)).code).toBe(0);
    const again = await run(removal, environment);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no client') });
  });

  test('explains what the server refuses, what is missing and what was mistyped', async () => {
    const { url, dataDir } = running;
    const environment = { TRADEWIND_DATA_DIR: dataDir };
    const refused = await run(
      ['clients', 'add', '--redirect-uris', 'http://app.example.com/', '--server', url],
      environment,
    );
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('use https') });
    const mistyped = await run(['clients', 'remove', '--server', url], environment);
    expect(mistyped).toMatchObject({ code: 2, stderr: expect.stringContaining('clients remove') });
  });

  test.each([
    ['off', running],
    ['open', open],
  ])(
    'signs in as an admin from elsewhere, where registration is %s [S10, T3]',
    async (_, server) => {
      const { url } = server;
      const environment = {
        TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
        TRADEWIND_KEYRING: 'off',
        BROWSER: createAllowingBrowser(ownerPassword),
      };
      const runSignedIn = async (...args: string[]) => {
        const command = runTradewind([...args, '--server', url, '--json'], environment);
        expect(await command.ended, command.output().stderr).toBe(0);
        return { told: JSON.parse(command.output().stdout), stderr: command.output().stderr };
      };
      const grants = ['--grants', 'client_credentials', '--scope', 'swap.read'];
      const { told: made, stderr } = await runSignedIn(
        'clients',
        'add',
        '--name',
        'Bot',
        ...grants,
      );
      expect(stderr).toContain('Sign in at');
      const listed = await runSignedIn('clients', 'list');
      expect(listed.stderr).toBe('');
      expect(listed.told.clients).toContainEqual(
        expect.objectContaining({ client_id: made.client_id, origin: 'operator' }),
      );
      // This command's own `--scope` declares scopes of the resource, and does not affect the sign-in.
      const scope = ['--scope', 'crm.read=Read the CRM'];
      await runSignedIn('logout');
      await runSignedIn('resources', 'add', 'https://crm.example.com/mcp', ...scope);
    },
  );

  test('sends the operator credential to no other machine', () => {
    const { url, dataDir } = running;
    const input = { flags: {}, terminal: { environment: { TRADEWIND_DATA_DIR: dataDir } } };
    expect(findOperatorCredential(url, input)).toBeTypeOf('string');
    expect(findOperatorCredential('https://tradewind.example.com', input)).toBeUndefined();
  });
});
