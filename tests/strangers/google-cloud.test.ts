import { expect } from 'vitest';
import { fileCreated, openEventsServer } from '../support/open-test-events.ts';
import { testEngines } from '../support/test-engines.ts';
import { testsWith } from '../support/tests-with.ts';
import { createRestClient } from './cloud-client.ts';
import { runEveryCall } from './run-every-call.ts';

const { test } = testsWith('strangers');

async function openServer(version: 'v1' | 'v1beta' = 'v1') {
  const [{ createStore }] = testEngines;
  const opened = await openEventsServer(await (await createStore()).open());
  return {
    ...opened,
    client: createRestClient(new URL(opened.rootUrl), { token: 'alice', version }),
  };
}

test('google-gax in REST mode calls every method [G1, G2, G3]', async () => {
  const { client, suspend } = await openServer();
  await runEveryCall(client, { suspend });
});

test('google-gax in REST mode calls every method of v1beta [G14]', async () => {
  const { client, suspend } = await openServer('v1beta');
  await runEveryCall(client, { suspend });
});

test('google-gax in REST mode tells a refusal with its code and reason [G1]', async () => {
  const { client } = await openServer();
  await expect(client.getSubscription({ name: 'subscriptions/none' })).rejects.toMatchObject({
    code: 5,
    reason: 'SUBSCRIPTION_NOT_FOUND',
  });
  await expect(client.listSubscriptions({ filter: fileCreated })).rejects.toMatchObject({
    code: 3,
    reason: 'INVALID_FILTER',
  });
});
