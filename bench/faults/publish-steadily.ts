import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { issueToken } from '../../tests/support/issue-token.ts';

const type = 'google.workspace.drive.file.v3.created';
const target = '//drive.googleapis.com/files/steady';
const scope = 'subscriptions.read subscriptions.write events.publish';

export type Published = {
  readonly id: string;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** 0 where there was no answer. */
  readonly status: number;
};

/** Publishes at a steady rate to one subscription whose webhook is here, whatever comes of it. */
export async function publishSteadily(server: string, perSecond: number) {
  const received = new Map<string, number>();
  const sink = createServer((request, response) => {
    request.resume();
    const asking = request.headers['webhook-request-origin'];
    if (request.method === 'OPTIONS' && asking !== undefined) {
      response.writeHead(200, { 'webhook-allowed-origin': asking }).end();
      return;
    }
    const id = String(request.headers['ce-id']);
    received.set(id, (received.get(id) ?? 0) + 1);
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(sink, 'listening');
  const uri = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/hook`; // TCP has such an address
  const authorization = `Bearer ${await issueToken(server, scope)}`;
  const post = (path: string, body: object, contentType: string) =>
    fetch(`${server}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': contentType },
      body: JSON.stringify(body),
    });
  const endpoint = { notificationEndpoint: { webhook: { uri } } };
  const subscription = { targetResource: target, eventTypes: [type], ...endpoint };
  const created = await post('/v1/subscriptions', subscription, 'application/json');
  if (!created.ok) throw new Error(await created.text());

  const published: Published[] = [];
  const underWay = new Set<Promise<void>>();
  let isOver = false;
  const publish = async (id: string): Promise<void> => {
    const sentAt = performance.now();
    // Some kilobytes, so that a table needs another page soon.
    const data = { file: { name: 'files/steady', text: 'x'.repeat(2_000) } };
    const event = { specversion: '1.0', id, source: '//bench', type, subject: target, data };
    const status = await post('/v1/events', event, 'application/cloudevents+json').then(
      async (response) => {
        await response.body?.cancel();
        return response.status;
      },
      () => 0,
    );
    published.push({ id, sentAt, answeredAt: performance.now(), status });
  };
  const going = (async () => {
    for (let index = 0; !isOver; index += 1) {
      const one = publish(`e${index}`);
      underWay.add(one);
      void one.finally(() => underWay.delete(one));
      await delay(1_000 / perSecond);
    }
  })();
  return {
    published,
    received,
    /** Waits for all answers, and for everything accepted to come. */
    async finish(longest: number): Promise<void> {
      isOver = true;
      await going;
      await Promise.all(underWay);
      const until = performance.now() + longest;
      const isThere = () => published.every(({ id, status }) => status !== 202 || received.has(id));
      while (!isThere() && performance.now() < until) await delay(100);
      sink.closeAllConnections();
      sink.close();
    },
  };
}
