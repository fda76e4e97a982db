import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { createTestSubscription as create, openTestEvents } from '../support/open-test-events.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const crm = {
  name: 'crm',
  targets: [{ pattern: '//crm/deals/{deal}', eventTypes: ['crm.deal.v1.won'] }],
};
const comment = {
  type: 'google.workspace.drive.comment.v3.created',
  subject: '//drive.googleapis.com/files/F',
  data: {
    comment: {
      ...{ id: 'C', file_id: 'F', content: 'a secret', name: 'a secret' },
      author: { emailAddress: 'secret@x.test' },
    },
    permission: [{ id: '1', emailAddress: 'secret@x.test' }],
  },
};
const deal = {
  type: 'crm.deal.v1.won',
  subject: '//crm/deals/17',
  data: { deal: { id: 'secret', total: 'secret' }, note: 'secret' },
};
const message = (n: number) => ({
  type: 'google.workspace.chat.message.v1.created',
  subject: `//chat.googleapis.com/spaces/A/messages/${n}`,
  data: { message: { name: `spaces/A/messages/${n}`, text: 'secret' } },
});

describe.each(migratedEngines)('without resource data, on $engine', ({ createStore }) => {
  async function open() {
    const events = await openTestEvents(await (await createStore()).open(), { clock: systemClock });
    await events.call('POST', '/v1/applications', { as: 'operator', body: crm });
    for (const worker of events.events.workers) {
      if (/delivery|streams/.test(worker.name)) {
        const { stop } = startWorker(worker);
        onTestFinished(() => void stop());
      }
    }
    const publish = async (...some: readonly object[]) => {
      const events = some.map((one, n) => ({
        ...{ specversion: '1.0', id: `e${n}`, source: '//test' },
        ...one,
      }));
      const headers = { 'Content-Type': 'application/cloudevents-batch+json' };
      const body = JSON.stringify(events);
      const answer = await call('POST', '/v1/events', { as: 'publisher', body, headers });
      expect(answer.status).toBe(202);
    };
    const { call } = events;
    return { events, call, publish };
  }

  /** What a stream sends until it has the given text. */
  async function read(response: Response, until: string): Promise<string> {
    let text = '';
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    onTestFinished(() => reader.cancel());
    while (!text.includes(until)) text += (await reader.read()).value ?? '';
    return text;
  }

  test('a webhook and its attempts in the monitor have the ids of a comment alone [F41, G11]', async () => {
    const { events, call, publish } = await open();
    const receiver = await startWebhookReceiver(() => ({ status: 200 }));
    const { name } = await create(
      events,
      {
        targetResource: comment.subject,
        eventTypes: [comment.type],
        notificationEndpoint: { webhook: { uri: receiver.url } },
      },
      { as: 'alice' },
    );
    await publish(comment);
    await receiver.got(1);
    const data = JSON.parse(receiver.received[0]!.body);
    expect(data).toEqual({ comment: { id: 'C', file_id: 'F' }, permission: [{ id: '1' }] });
    const attempts = () => call('GET', `/v1/monitor/${name}/attempts`);
    await expect.poll(async () => (await attempts()).body.attempts.length).toBe(1);
    expect((await attempts()).text).not.toContain('secret');
  });

  test.each([
    ['of an added application', deal, [deal], '{"deal":{}}'],
    ['of a batch', message(0), Array.from({ length: 120 }, (_, n) => message(n)), 'messages/119'],
  ] as const)('a stream %s has names alone [F41]', async (_, { type, subject }, published, end) => {
    const { events, publish } = await open();
    const { name } = await create(
      events,
      {
        targetResource: subject.replace(/\/messages\/.*/, ''),
        eventTypes: [type],
        notificationEndpoint: { eventStream: {} },
      },
      { as: 'alice' },
    );
    await publish(...published);
    const headers = { Authorization: 'Bearer alice' };
    const response = await events.edge.request(`/v1/${name}:listen`, { headers });
    expect(await read(response, end)).not.toContain('secret');
  });
});
