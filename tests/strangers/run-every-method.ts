import { expect } from 'vitest';
import { fileCreated, newSubscriptionBody } from '../support/open-test-events.ts';

type Answer = { readonly data: Record<string, unknown> };
type Ask = (parameters: object) => Promise<unknown>;

/** The part of Google's Node.js clients that is called here, however a client was built. */
export type WorkspaceEvents = {
  readonly subscriptions: Readonly<
    Record<'create' | 'get' | 'list' | 'patch' | 'delete' | 'reactivate', Ask>
  >;
  readonly operations: { readonly get: Ask };
};

/** Runs every method as a user of the client does, and checks what the client returns. */
export async function runEveryMethod(
  { subscriptions, operations }: WorkspaceEvents,
  { suspend, version = 'v1' }: { suspend(name: string): Promise<void>; version?: string },
): Promise<void> {
  // Every client returns its answer in `data`; the checks below look into it.
  const ask = async (answering: Promise<unknown>) => ((await answering) as Answer).data;
  const body = (target: string, more: object = {}) =>
    newSubscriptionBody({ targetResource: `//drive.googleapis.com/files/${target}`, ...more });

  const requestBody = body('one', {
    notificationEndpoint: { pubsubTopic: 'projects/p/topics/changes' },
    ttl: '3600s',
  });
  const rehearsed = await ask(subscriptions.create({ validateOnly: true, requestBody }));
  expect(rehearsed).toMatchObject({ done: true, response: { state: 'ACTIVE' } });
  expect(rehearsed).not.toHaveProperty('name');
  const created = await ask(subscriptions.create({ validateOnly: false, requestBody }));
  expect(created).toMatchObject({
    done: true,
    response: {
      '@type': `type.googleapis.com/google.apps.events.subscriptions.${version}.Subscription`,
      state: 'ACTIVE',
      notificationEndpoint: { pubsubTopic: 'projects/p/topics/changes' },
    },
  });
  const { name, etag, expireTime } = created.response as Record<string, string>;
  expect(await ask(subscriptions.get({ name }))).toMatchObject({ name, etag });
  await ask(subscriptions.create({ requestBody: body('two') }));

  const filter = `event_types:"${fileCreated}"`;
  const names: unknown[] = [];
  let pageToken: unknown;
  do {
    const page = await ask(
      subscriptions.list({ filter, pageSize: 1, ...(pageToken ? { pageToken } : {}) }),
    );
    names.push(...(page.subscriptions as { name: string }[]).map((one) => one.name));
    pageToken = page.nextPageToken;
  } while (pageToken);
  expect(names).toHaveLength(2);
  expect(names).toContain(name);
  const part = await ask(
    subscriptions.list({
      filter,
      fields: 'subscriptions(name)',
      prettyPrint: false,
      quotaUser: 'q',
    }),
  );
  expect(part.subscriptions).toContainEqual({ name });

  const patched = await ask(
    subscriptions.patch({ name, updateMask: 'ttl', requestBody: { ttl: '0s' } }),
  );
  const renewed = patched.response as Record<string, string>;
  expect(renewed.expireTime! > expireTime!).toBe(true);

  await suspend(name!);
  expect(await ask(subscriptions.get({ name }))).toMatchObject({ state: 'SUSPENDED' });
  const reactivated = await ask(subscriptions.reactivate({ name }));
  expect(reactivated).toMatchObject({ done: true, response: { name, state: 'ACTIVE' } });

  expect(await ask(operations.get({ name: created.name }))).toEqual(created);
  const refused = subscriptions.delete({ name, etag: 'bad' });
  await expect(refused).rejects.toMatchObject({
    status: 409,
    response: { data: { error: { status: 'ABORTED' } } },
  });
  const { etag: current } = reactivated.response as Record<string, string>;
  expect(await ask(subscriptions.delete({ name, etag: current }))).toMatchObject({
    done: true,
    response: { '@type': 'type.googleapis.com/google.protobuf.Empty' },
  });
  await expect(subscriptions.get({ name })).rejects.toMatchObject({ status: 404 });
  expect(await ask(subscriptions.delete({ name, allowMissing: true }))).toMatchObject({
    done: true,
  });
}
