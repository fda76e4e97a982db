import { describe, expect, test } from 'vitest';
import { runInProcess } from '../support/run-in-process.ts';
import { makeTemporaryDirectory, useServer } from '../support/run-tradewind.ts';

const running = useServer({ environment: { TRADEWIND_REGISTRATION: 'off' } });

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

    expect((await run(['clients', 'remove', client_id, ...server], environment)).code).toBe(0);
    const again = await run(['clients', 'remove', client_id, ...server], environment);
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
    const elsewhere = { TRADEWIND_DATA_DIR: await makeTemporaryDirectory() };
    const unknown = await run(['clients', 'list', '--server', url], elsewhere);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('--data-dir') });
    const mistyped = await run(['clients', 'remove', '--server', url], environment);
    expect(mistyped).toMatchObject({ code: 2, stderr: expect.stringContaining('clients remove') });
  });

  test('tells the credential of this machine to no other', async () => {
    const { dataDir } = running;
    const foreign = await run(['clients', 'list', '--server', 'https://tradewind.example.com'], {
      TRADEWIND_DATA_DIR: dataDir,
    });
    expect(foreign).toMatchObject({ code: 2, stderr: expect.stringContaining('another machine') });
  });
});
