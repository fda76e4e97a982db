import { onTestFinished } from 'vitest';
import { readServerSentEvents } from '../../src/cli/server/events-client.ts';
import type { TestEvents } from './open-test-events.ts';

/** Reads the live feed of a server as a caller sees it; closed when the running test is over. */
export async function readFeed(
  { edge }: Pick<TestEvents, 'edge'>,
  options: { readonly as: string; readonly lastEventId?: string; readonly query?: string },
) {
  const { as, lastEventId, query = '' } = options;
  const response = await edge.request(`/v1/monitor/feed?${query}`, {
    headers: {
      authorization: `Bearer ${as}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  });
  if (response.status !== 200 || response.body === null) throw new Error(await response.text());
  const reader = response.body.getReader();
  const chunks = async function* () {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  };
  const items = readServerSentEvents(ReadableStream.from(chunks()));
  let last = '';
  // Cancels the reader directly: ending the iteration would wait for the next item.
  const close = () => reader.cancel();
  onTestFinished(close);
  return {
    /** The next item. */
    async next(): Promise<Record<string, unknown>> {
      const { value } = await items.next();
      last = value?.id ?? last;
      return JSON.parse(value?.data ?? '{}');
    },
    get lastEventId() {
      return last;
    },
    close,
  };
}
