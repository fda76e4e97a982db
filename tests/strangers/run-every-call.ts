import { expect } from 'vitest';
import { fileCreated } from '../support/open-test-events.ts';
import type { CloudClient, Message } from './cloud-client.ts';

/** Runs every method as a user of a Cloud client does, and checks what the client returns. */
export async function runEveryCall(
  client: CloudClient,
  { suspend }: { suspend(name: string): Promise<void> },
): Promise<void> {
  const subscription = (target: string) => ({
    targetResource: `//drive.googleapis.com/files/${target}`,
    eventTypes: [fileCreated],
    notificationEndpoint: { pubsubTopic: 'projects/p/topics/changes' },
    ttl: { seconds: 3600 },
  });
  const finish = async (operation: { promise(): Promise<readonly unknown[]> }) =>
    (await operation.promise())[0] as Message; // the response, decoded by the type of the method

  const [creating] = await client.createSubscription({ subscription: subscription('one') });
  const created = await finish(creating);
  expect(created).toMatchObject({
    state: 1,
    targetResource: '//drive.googleapis.com/files/one',
    notificationEndpoint: { pubsubTopic: 'projects/p/topics/changes' },
  });
  const name = String(created.name);
  const [got] = await client.getSubscription({ name });
  expect(got).toMatchObject({ name, state: 'ACTIVE', etag: created.etag });
  const [rehearsing] = await client.createSubscription({
    subscription: subscription('two'),
    validateOnly: true,
  });
  expect(await finish(rehearsing)).toMatchObject({ name: '', state: 1 });
  await client.createSubscription({ subscription: subscription('two') });

  const filter = `event_types:"${fileCreated}"`;
  const [page] = await client.listSubscriptions({ filter, pageSize: 1 });
  const pageToken = page?.nextPageToken;
  const [rest] = await client.listSubscriptions({ filter, pageSize: 1, pageToken });
  const listed = [page, rest].flatMap((one) => one?.subscriptions as Message[]);
  expect(listed.map((one) => one.targetResource).sort()).toEqual([
    '//drive.googleapis.com/files/one',
    '//drive.googleapis.com/files/two',
  ]);

  const [updating] = await client.updateSubscription({
    subscription: { name, ttl: { seconds: 0 } },
    updateMask: { paths: ['ttl'] },
  });
  const updated = await finish(updating);
  const seconds = ({ expireTime }: Message) => Number((expireTime as Message).seconds);
  expect(seconds(updated) - seconds(created)).toBeGreaterThan(86_400);

  await suspend(name);
  const [suspended] = await client.getSubscription({ name });
  expect(suspended).toMatchObject({ state: 'SUSPENDED', suspensionReason: 'OTHER' });
  const [reactivating] = await client.reactivateSubscription({ name });
  expect(await finish(reactivating)).toMatchObject({ name, state: 1 });

  const [operation] = await client.getOperation({ name: creating.name });
  expect(operation).toMatchObject({ name: creating.name, done: true });
  await expect(client.deleteSubscription({ name, etag: '"old"' })).rejects.toMatchObject({
    code: 10,
    reason: 'ETAG_MISMATCH',
  });
  const [deleting] = await client.deleteSubscription({ name });
  expect(await finish(deleting)).toEqual({});
  await expect(client.getSubscription({ name })).rejects.toMatchObject({ code: 5 });
}
