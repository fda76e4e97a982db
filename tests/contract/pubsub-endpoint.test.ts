import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPubsubKind } from '../../src/events/delivery/endpoints/pubsub-endpoint.ts';

const fromPubsub = createRequire(createRequire(import.meta.url).resolve('@google-cloud/pubsub'));
const { signal } = new AbortController();
const event = {
  number: 1,
  id: 'one',
  source: '//events.test/subscriptions/s',
  type: 'shop.order.v1.created',
  subject: '//shop/orders/1',
  time: '2026-01-01T00:00:00.000Z',
  data: '{"order":{"name":"orders/1"}}',
};

test('publishes events as Pub/Sub messages in order of their subscription [E10.10, E14.22]', async () => {
  const { messages, kind } = await openEmulator(['projects/p/topics/t']);
  const endpoint = kind.open(
    { kind: 'pubsubTopic', topic: 'projects/p/topics/t' },
    { secrets: [] },
  );
  const batch = { id: 'one', events: [event], at: 0, isRetry: false };
  expect(await endpoint.send(batch, signal)).toEqual({ isAccepted: true });
  expect(messages).toEqual([
    {
      topic: 'projects/p/topics/t',
      data: event.data,
      orderingKey: event.source,
      attributes: {
        'ce-datacontenttype': 'application/json',
        'ce-id': 'one',
        'ce-source': event.source,
        'ce-specversion': '1.0',
        'ce-subject': event.subject,
        'ce-time': event.time,
        'ce-type': event.type,
      },
    },
  ]);
});

test('says of a topic that is not there that it is not there [E14.22]', async () => {
  const { kind } = await openEmulator([]);
  const missing = { kind: 'pubsubTopic', topic: 'projects/p/topics/none' } as const;
  expect(await kind.check(missing)).toMatchObject({ status: 'NOT_FOUND' });
  const outcome = await kind
    .open(missing, { secrets: [] })
    .send({ id: 'one', events: [event], at: 0, isRetry: false }, signal);
  expect(outcome).toMatchObject({ isAccepted: false, reason: 'ENDPOINT_NOT_FOUND' });
});

test('says of a topic that this server may not publish to that it is invalid, as Google does [G15]', async () => {
  const { kind } = await openEmulator(['projects/p/topics/forbidden']);
  const problem = await kind.check({ kind: 'pubsubTopic', topic: 'projects/p/topics/forbidden' });
  expect(problem).toMatchObject({ status: 'PERMISSION_DENIED', reason: 'INVALID_PUBSUB_TOPIC' });
});

/** An emulator of Pub/Sub's publisher service for these topics, by the package's own protocol. */
async function openEmulator(topics: readonly string[]) {
  const grpc = fromPubsub('@grpc/grpc-js');
  const loader = createRequire(fromPubsub.resolve('google-gax'))('@grpc/proto-loader');
  const protos = new URL(
    '../../node_modules/@google-cloud/pubsub/build/protos/protos.json',
    import.meta.url,
  );
  const definition = loader.fromJSON(JSON.parse(readFileSync(protos, 'utf8')));
  const { Publisher } = grpc.loadPackageDefinition(definition).google.pubsub.v1;
  const messages: object[] = [];
  type Call = {
    request: {
      topic: string;
      messages?: { data: Buffer; orderingKey: string; attributes: object }[];
    };
  };
  type Answer = (error: object | null, answer?: object) => void;
  const answerIfThere = (topic: string, answer: Answer, value: () => object) =>
    topics.includes(topic) ? answer(null, value()) : answer({ code: 5, details: 'no such topic' });
  const server = new grpc.Server();
  server.addService(Publisher.service, {
    GetTopic: ({ request: { topic } }: Call, answer: Answer) =>
      topic.endsWith('/forbidden')
        ? answer({ code: 7, details: 'no publisher' })
        : answerIfThere(topic, answer, () => ({ name: topic })),
    Publish: ({ request: { topic, messages: sent = [] } }: Call, answer: Answer) =>
      answerIfThere(topic, answer, () => {
        for (const { data, orderingKey, attributes } of sent) {
          messages.push({ topic, data: data.toString(), orderingKey, attributes });
        }
        return { messageIds: sent.map((_, index) => String(index + 1)) };
      }),
  });
  const credentials = grpc.ServerCredentials.createInsecure();
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', credentials, (error: Error | null, bound: number) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  // Without this the client looks for Google Cloud's metadata server on the network.
  vi.stubEnv('METADATA_SERVER_DETECTION', 'none');
  vi.stubEnv('PUBSUB_EMULATOR_HOST', `127.0.0.1:${port}`);
  const kind = createPubsubKind();
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await kind.close();
    server.forceShutdown();
  });
  return { messages, kind };
}
