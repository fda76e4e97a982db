import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listDeliveries } from '../../src/events/delivery/list-deliveries.ts';
import { createSealer } from '../../src/kernel/crypto/sealer.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { eventually } from '../support/eventually.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { shopOrder } from '../support/shop-order.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';

/** A receiver that answers each request with exactly the bytes of `answer`. Counts requests and connections. */
async function startRawReceiver(answer: (socket: Socket) => void | Promise<void>) {
  const seen = { requests: 0, connections: 0 };
  const server = createServer((socket) => {
    seen.connections++;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      const requests = data.toString('latin1').match(/^POST /gm) ?? [];
      for (const _ of requests) {
        seen.requests++;
        void answer(socket);
      }
    });
    onTestFinished(() => void socket.destroy());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has an address of this form
  return { url: `http://127.0.0.1:${port}`, seen };
}

/** Writes one part after another, each in a packet of its own. */
const inParts =
  (...parts: string[]) =>
  async (socket: Socket) => {
    socket.setNoDelay(true);
    for (const part of parts) {
      await new Promise((written) => socket.write(part, 'latin1', written));
      await new Promise((next) => setImmediate(next));
    }
  };
const continued = 'HTTP/1.1 100 Continue\r\n\r\n';
const hints =
  'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nContent-Length: 99999\r\n\r\n';
const accepted = 'HTTP/1.1 204 No Content\r\n\r\n';

test.each<[string, { answer: (socket: Socket) => void | Promise<void>; isKept: boolean }]>([
  ['100 Continue first', { answer: inParts(continued + accepted), isKept: true }],
  ['100 Continue long before', { answer: inParts(continued, accepted), isKept: true }],
  [
    '100 Continue with a header',
    { answer: inParts('HTTP/1.1 100 Go on\r\nX: y\r\n\r\n', accepted), isKept: true },
  ],
  [
    'each byte by itself',
    { answer: inParts(...continued, ...continued, ...accepted), isKept: true },
  ],
  ['103 first', { answer: inParts(hints, accepted), isKept: true }],
  [
    '100, 103 and 100 first',
    { answer: inParts(continued, hints + continued, accepted), isKept: true },
  ],
  [
    'a body that drips',
    { answer: inParts('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n', 'x'), isKept: false },
  ],
  [
    'chunks that never end',
    {
      answer: inParts('HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'),
      isKept: false,
    },
  ],
  [
    'a body that breaks off',
    {
      answer: async (socket) => {
        await inParts('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n', 'x')(socket);
        socket.destroy();
      },
      isKept: false,
    },
  ],
])(
  'a response with %s counts as a receipt, and no event is delivered twice [D9]',
  async (_, { answer, isKept }) => {
    const database = await (await migratedEngines[0].createStore()).open();
    const delivery = await openTestDelivery(database);
    const { url, seen } = await startRawReceiver(answer);
    const notificationEndpoint = { kind: 'webhook', uri: url, contentMode: 'BINARY' } as const;
    const { subscription } = await delivery.subscribe({ notificationEndpoint });
    delivery.createWorkers({ suspend: delivery.suspend }).map(startWorker);
    const ids = ['e1', 'e2', 'e3'];
    await delivery.publisher.publish(ids.map((id) => shopOrder(id, subscription.targetResource)));
    const sealer = createSealer({
      masterKey: new Uint8Array(32),
      purpose: 'test',
      random: systemRandom,
    });
    await eventually(async () => {
      const { deliveries } = await listDeliveries(
        { database, catchUp: async () => {}, sealer },
        { subscriptionId: subscription.id },
      );
      expect(
        deliveries.map(({ eventId, state, attempts }) => [eventId, state, attempts.length]),
      ).toEqual(ids.map((id) => [id, 'DELIVERED', 1]));
    });
    expect(seen.requests).toBe(3);
    // A connection is reused only once its answer is complete.
    expect(seen.connections < 3).toBe(isKept);
  },
);
