import { auth as ownAuth, workspaceevents } from '@googleapis/workspaceevents';
import { expect } from 'vitest';
import { openEventsServer } from '../support/open-test-events.ts';
import { testEngines } from '../support/test-engines.ts';
import { testsWith } from '../support/tests-with.ts';
import { runEveryMethod, type WorkspaceEvents } from './run-every-method.ts';

const { test } = testsWith('strangers');

// The package is large and installed only here. A static import would require its types wherever this code is checked.
const name = 'googleapis';
/** Imported only by a test that runs: the package may be missing. */
const openGoogle = async () => (await import(name)).google;

async function openServer() {
  const [{ createStore }] = testEngines;
  return openEventsServer(await (await createStore()).open());
}

function authorize<Client extends { setCredentials(credentials: object): void }>(client: Client) {
  client.setCredentials({ access_token: 'alice' });
  return client;
}

test('googleapis runs every method [E11.1]', async () => {
  const { rootUrl, suspend } = await openServer();
  const google = await openGoogle();
  const auth = authorize(new google.auth.OAuth2());
  await runEveryMethod(google.workspaceevents({ version: 'v1', auth, rootUrl }), { suspend });
});

test('@googleapis/workspaceevents runs every method [E11.2]', async () => {
  const { rootUrl, suspend } = await openServer();
  const auth = authorize(new ownAuth.OAuth2());
  // The generated types have many more overloads of each method.
  const client = workspaceevents({ version: 'v1', auth, rootUrl }) as unknown as WorkspaceEvents;
  await runEveryMethod(client, { suspend });
});

test('google.discoverAPI builds a client that runs every method and the additions [E11.3, E9.9]', async () => {
  const { rootUrl, suspend } = await openServer();
  const google = await openGoogle();
  const auth = authorize(new google.auth.OAuth2());
  const address = `${rootUrl}$discovery/rest?version=v1`;
  const client = await google.discoverAPI(address, { auth });
  await runEveryMethod(client, { suspend });
  const { data } = await client.applications.list({});
  expect(data.applications.map((one: { name: string }) => one.name)).toContain('drive');
});

test('google.discoverAPI builds a client of v1beta [G14]', async () => {
  const { rootUrl, suspend } = await openServer();
  const google = await openGoogle();
  const auth = authorize(new google.auth.OAuth2());
  const client = await google.discoverAPI(`${rootUrl}$discovery/rest?version=v1beta`, { auth });
  await runEveryMethod(client, { suspend, version: 'v1beta' });
});

test('googleapis tells a missing token as Google does [E8.4]', async () => {
  const { rootUrl } = await openServer();
  const google = await openGoogle();
  const client = google.workspaceevents({ version: 'v1', auth: 'an-api-key', rootUrl });
  await expect(client.subscriptions.list({ filter: 'x' })).rejects.toMatchObject({
    status: 401,
    response: { data: { error: { status: 'UNAUTHENTICATED' } } },
  });
});
