import { describe, expect, test } from 'vitest';
import { createAllowingBrowser } from '../support/allowing-browser.ts';
import { eventually } from '../support/eventually.ts';
import { runInProcess } from '../support/run-in-process.ts';
import {
  makeTemporaryDirectory,
  runTradewind,
  type ServerUnderTest,
  serve,
  useServer,
} from '../support/run-tradewind.ts';

const ownerPassword = 'correct-horse-battery';

const ownedBy = { environment: { TRADEWIND_OWNER_PASSWORD: ownerPassword } };
const shared = useServer(ownedBy);

function open(server: Pick<ServerUnderTest, 'url' | 'dataDir'> = shared) {
  const environment = { TRADEWIND_DATA_DIR: server.dataDir, TRADEWIND_PUBLIC_URL: server.url };
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runInProcess([...args, '--json'], { environment });
    return { code, told: stdout === '' ? undefined : JSON.parse(stdout), stderr };
  };
  return { url: server.url, environment, run };
}

describe('the commands by which a server is managed', () => {
  test('invite people, change their roles, reset passwords and remove them [T3]', async () => {
    const { run, url, environment } = open();
    const { told: mia } = await run('people', 'invite', 'mia', '--role', 'admin');
    expect(mia).toMatchObject({ username: 'mia', role: 'admin', state: 'invited' });
    expect(mia.inviteUrl.startsWith(`${url}/account/invite?secret=`)).toBe(true);
    expect((await fetch(mia.inviteUrl)).status).toBe(200);
    expect((await run('people', 'role', 'mia', 'member')).told.role).toBe('member');
    const reset = await run('people', 'reset', 'mia');
    expect(reset.told.resetUrl).toContain('/account/invite');
    expect((await fetch(mia.inviteUrl)).status).toBe(403);
    const listed = await runInProcess(['people', 'list'], { environment });
    expect(listed.stdout).toMatch(/owner\s+owner\s+active\s+password/);
    expect(listed.stdout).toMatch(/mia\s+member\s+invited/);

    const unasked = await run('people', 'remove', 'mia');
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(unasked.stderr).toContain('This removes mia, ends 0 sessions');
    const removed = await run('people', 'remove', 'mia', '--yes');
    expect(removed.told).toEqual({ removed: mia.id, ended: { sessions: 0, grants: 0 } });
    const last = await run('people', 'remove', 'owner', '--yes');
    expect(last).toMatchObject({ code: 1, stderr: expect.stringContaining('last owner') });
    expect(await run('people', 'role', 'nobody', 'admin')).toMatchObject({ code: 2 });
  });

  test('add and remove servers with scopes of their own [T4]', async () => {
    const { run, url } = open();
    const resource = 'https://crm.example.com/mcp';
    const added = await run(
      ...['resources', 'add', resource, '--name', 'CRM'],
      ...['--scope', 'crm.read=Read the CRM', '--scope', 'crm.write=Change the CRM'],
    );
    expect(added.told).toMatchObject({ resource, name: 'CRM' });
    const document = await fetch(`${url}/.well-known/oauth-authorization-server`);
    expect(await document.json()).toMatchObject({
      scopes_supported: expect.arrayContaining(['crm.read', 'crm.write']),
    });
    expect((await run('resources', 'list')).told.resources).toHaveLength(1);
    expect(await run('resources', 'add', resource, '--scope', 'x')).toMatchObject({ code: 2 });
    expect((await run('resources', 'remove', resource, '--yes')).told).toMatchObject({
      ended: { grants: 0 },
    });
  });

  test('list and rotate signing keys, and list sessions [T2]', async () => {
    const { run } = open(await serve(ownedBy));
    const { told: rotated } = await run('keys', 'rotate');
    const { keys } = (await run('keys', 'list')).told;
    expect(keys).toHaveLength(2);
    expect(keys.at(-1)).toMatchObject({ id: rotated.id, algorithm: 'ES256', state: 'signing' });
    expect((await run('sessions', 'list')).told).toEqual({ sessions: [] });
  });
});

test('ending a session asks first, and revokes what was allowed in it [T3]', async () => {
  const { url, run } = open(await serve(ownedBy));
  const signedIn = {
    TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
    TRADEWIND_KEYRING: 'off',
    TRADEWIND_PUBLIC_URL: url,
    BROWSER: createAllowingBrowser(ownerPassword),
  };
  const token = runTradewind(['token', '--scope', 'account.manage'], signedIn);
  expect(await token.ended).toBe(0);
  const ask = () =>
    fetch(`${url}/v1/sessions`, {
      headers: { authorization: `Bearer ${token.output().stdout.trim()}` },
    });
  expect((await ask()).status).toBe(200);
  const [session] = (await run('sessions', 'list')).told.sessions;
  const unasked = await run('sessions', 'end', session.id);
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect(unasked.stderr).toContain('This signs owner out');
  expect(unasked.stderr).toContain('are suspended');
  const ended = await run('sessions', 'end', session.id, '--yes');
  expect(ended.told).toMatchObject({ removed: session.id, ended: { grants: 1 } });
  await eventually(async () => expect((await ask()).status).toBe(401));
  expect(await run('sessions', 'end', session.id, '--yes')).toMatchObject({ code: 2 });
});

describe('signing in again', () => {
  test('gives scripts a token, asks for the scope that is named, and names what signing out suspends [T3]', async () => {
    const { url } = open();
    const environment = {
      TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
      TRADEWIND_KEYRING: 'off',
      TRADEWIND_PUBLIC_URL: url,
      BROWSER: createAllowingBrowser(ownerPassword),
    };
    const run = async (...args: string[]) => {
      const command = runTradewind([...args, '--json'], environment);
      const code = await command.ended;
      const { stdout, stderr } = command.output();
      return { code, told: stdout === '' ? undefined : JSON.parse(stdout), stderr };
    };
    const ask = (token: string, path: string) =>
      fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });

    const first = await run('login');
    expect(first.told.grants[0].scope).toBe('swap.read subscriptions.read subscriptions.write');
    expect(first.stderr).not.toContain('signed in already');
    const second = await run('login');
    expect(second.stderr).toBe(
      `You are signed in already, and that grant is shown. To sign in again, first run tradewind logout ${url}.\n`,
    );
    expect(second.told.grants).toHaveLength(1);
    const unknown = await run('call', 'list_foo');
    expect(unknown.stderr).toContain('Tool list_foo not found; see tradewind tools');
    const narrow = await run('login', '--scope', 'swap.read');
    expect(narrow.stderr).toContain('Sign in at');
    expect(narrow.stderr).not.toContain('signed in already');
    expect(narrow.stderr).toContain('subscriptions that need them are suspended');
    expect(narrow.told.grants.map(({ scope }: { scope: string }) => scope)).toEqual(['swap.read']);

    const { told: token } = await run('token', '--scope', 'subscriptions.write subscriptions.read');
    expect(token.scope.split(' ').toSorted()).toEqual([
      'subscriptions.read',
      'subscriptions.write',
      'swap.read',
    ]);
    expect((await ask(token.accessToken, '/v1/sessions')).status).toBe(403);
    const again = runTradewind(['token'], environment);
    await again.ended;
    expect(again.output()).toEqual({ stdout: `${token.accessToken}\n`, stderr: '' });

    const made = await fetch(`${url}/v1/subscriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        targetResource: '//chat.googleapis.com/spaces/A',
        eventTypes: ['google.workspace.chat.message.v1.created'],
        notificationEndpoint: { eventStream: {} },
      }),
    });
    expect(made.status, await made.clone().text()).toBe(200);
    // The new sign-in replaced the earlier grant, which is gone at the server too.
    const listed = await (await ask(token.accessToken, '/v1/grants')).json();
    expect(listed).toMatchObject({ grants: [{ scopes: expect.any(Array) }] });
    const { told } = await run('logout');
    expect(told.suspended).toEqual([expect.stringMatching(/^subscriptions\//)]);
    expect(told.grants).toMatchObject([{ isRevoked: true }]);
    await run('login');
    await eventually(async () => {
      const { told: shown } = await run('subscriptions', 'show', told.suspended[0]);
      expect(shown).toMatchObject({ state: 'SUSPENDED', suspensionReason: 'USER_SCOPE_REVOKED' });
    });

    const { told: active } = await run('subscriptions', 'reactivate', told.suspended[0]);
    expect(active.state).toBe('ACTIVE');
    const spoken = runTradewind(['logout'], environment);
    await spoken.ended;
    expect(spoken.output().stdout).toContain(
      `This suspends the subscription ${told.suspended[0]}; after the next sign-in, tradewind subscriptions reactivate <name> reactivates it.\n`,
    );
    await run('login');

    // The sign-in of another machine keeps the subscriptions active.
    await eventually(async () => {
      const { told: again } = await run('subscriptions', 'reactivate', told.suspended[0]);
      expect(again.state).toBe('ACTIVE');
    });
    const other = { ...environment, TRADEWIND_DATA_DIR: await makeTemporaryDirectory() };
    expect(await runTradewind(['login'], other).ended).toBe(0);
    expect((await run('logout')).told).toMatchObject({ suspended: [], grants: [{}] });
  });

  test('ends on Ctrl-C without a message, and takes the server from a flag and the token from the environment [T8]', async () => {
    const { url } = open();
    const environment = {
      TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
      TRADEWIND_KEYRING: 'off',
    };
    const login = runTradewind(['login', '--server', url, '--no-browser'], environment);
    await login.match(/Sign in at/);
    login.process.kill('SIGINT');
    expect(await login.ended).toBe(130);
    expect(login.output().stderr).not.toContain('tradewind:');

    const browsing = { ...environment, BROWSER: createAllowingBrowser(ownerPassword) };
    const token = runTradewind(['token', '--server', url], browsing);
    expect(await token.ended).toBe(0);
    const bare = {
      TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
      TRADEWIND_TOKEN: token.output().stdout.trim(),
    };
    const tools = runTradewind(['tools', '--server', url, '--json'], bare);
    expect(await tools.ended).toBe(0);
    expect(tools.output().stderr).toBe('');
    const call = runTradewind(['call', 'list_subscriptions', '--server', url], bare);
    await call.ended;
    expect(call.output().stderr).not.toContain('Sign in');
    const twice = runTradewind(['whoami', url, '--server', url], bare);
    expect(await twice.ended).toBe(2);
  });
});
