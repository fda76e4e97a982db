import { setTimeout as delay } from 'node:timers/promises';
import { issueToken } from '../../tests/support/issue-token.ts';
import { openReceiver } from './open-receiver.ts';

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

/** Publishes at a steady rate, whatever the answers are, to one subscription whose webhook is in this process. */
export async function publishSteadily(server: string, perSecond: number) {
  const received = new Map<string, number>();
  const receiver = await openReceiver((id) => received.set(id, (received.get(id) ?? 0) + 1));
  const { uri } = receiver;
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
    // Two kilobytes, so that a table soon needs another page.
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
    /** Waits for all answers, and at most `longest` milliseconds for the delivery of all accepted events. */
    async finish(longest: number): Promise<void> {
      isOver = true;
      await going;
      await Promise.all(underWay);
      const until = performance.now() + longest;
      const isThere = () => published.every(({ id, status }) => status !== 202 || received.has(id));
      while (!isThere() && performance.now() < until) await delay(100);
      receiver.close();
    },
  };
}
