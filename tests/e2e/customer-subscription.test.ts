import { expect, test } from 'vitest';
import { runInProcess } from '../support/run-in-process.ts';
import { serve } from '../support/run-tradewind.ts';

const target = '//admin.googleapis.com/customers/my_customer';
const type = 'google.workspace.chat.message.v1.created';

test('a client that an admin made for it subscribes to everything of Chat by command [G4, G5]', async () => {
  const { url, dataDir } = await serve();
  const server = ['--server', url];
  const environment = { TRADEWIND_DATA_DIR: dataDir };
  const add = async (scope: string) => {
    const grants = ['--grants', 'client_credentials', '--scope', scope];
    const made = await runInProcess(['clients', 'add', ...grants, ...server, '--json'], {
      environment,
    });
    expect(made.code, made.stderr).toBe(0);
    const { client_id: id, client_secret: secret } = JSON.parse(made.stdout);
    return { TRADEWIND_CLIENT_ID: id, TRADEWIND_CLIENT_SECRET: secret };
  };
  const subscribe = (client: Record<string, string>) =>
    runInProcess(
      ['subscribe', target, type, '--topic', 'projects/p/topics/chat', ...server, '--json'],
      {
        environment: { ...environment, ...client },
      },
    );

  const writing = 'subscriptions.read subscriptions.write';
  const approved = await subscribe(await add(`${writing} subscriptions.customer`));
  expect(approved.code, approved.stderr).toBe(0);
  expect(JSON.parse(approved.stdout)).toMatchObject({ targetResource: target, state: 'ACTIVE' });
  const other = await subscribe(await add(writing));
  expect(other).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('subscriptions.customer'),
  });

  // Nobody gets the scope by registering, or by asking for whatever there is.
  const registered = await fetch(`${url}/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      grant_types: ['client_credentials'],
      response_types: [],
      scope: `${writing} subscriptions.customer`,
    }),
  });
  const { client_id, client_secret } = JSON.parse(await registered.text());
  const token = await fetch(`${url}/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  expect(await token.text()).not.toContain('subscriptions.customer');
});
