import { describe, expect, test } from 'vitest';
import {
  createTestSubscription as create,
  fileCreated,
  openTestEvents,
} from '../support/open-test-events.ts';
import { queuedEvents } from '../support/queued-events.ts';
import { testEngines } from '../support/test-engines.ts';

const target = '//drive.googleapis.com/files/f1';

describe.each(testEngines)('publishers on $engine', ({ createStore }) => {
  const open = async (options: Parameters<typeof openTestEvents>[1] = {}) => {
    const events = await openTestEvents(await (await createStore()).open(), options);
    const publish = async (as: string, event: object = {}) => {
      const whole = {
        specversion: '1.0',
        id: 'e1',
        source: '//test',
        type: fileCreated,
        subject: target,
        data: { file: { name: 'files/f1', by: as } },
        ...event,
      };
      const headers = { 'Content-Type': 'application/cloudevents+json' };
      const body = JSON.stringify(whole);
      return events.call('POST', '/v1/events', { as, headers, body });
    };
    /** Who published what a subscription gets. */
    const publishersSeenBy = async ({ name }: { name: string }) => {
      const id = name.slice('subscriptions/'.length);
      return (await queuedEvents(events.database, id)).map(({ data }) => data.file.by);
    };
    return { ...events, publish, publishersSeenBy };
  };

  test('have a name space each, so that none hides the event of another [F6]', async () => {
    const events = await open();
    const subscription = await create(events);
    for (const as of ['rival', 'publisher', 'publisher-elsewhere', 'operator']) {
      const { status, body } = await events.publish(as);
      expect([status, body]).toEqual([202, { accepted: 1, duplicates: 0 }]);
      expect((await events.publish(as)).body).toEqual({ accepted: 0, duplicates: 1 });
    }
    const seen = await events.publishersSeenBy(subscription);
    expect(seen).toEqual(['rival', 'publisher', 'publisher-elsewhere', 'operator']);
  });
});
