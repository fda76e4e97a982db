import { ApiError, fetchApi } from './api.ts';

/** One server-sent event: its data, and the id from which to resume. */
type FeedEvent = { readonly id: string; readonly data: string };

/**
 * Reads the live feed after `lastEventId` until it ends. Calls `onEvent` with each item.
 * Throws `ApiError` if the server refuses.
 */
export async function readFeed(options: {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly lastEventId: string;
  readonly signal: AbortSignal;
  onEvent(event: FeedEvent): void;
}): Promise<void> {
  const { query, lastEventId, signal, onEvent } = options;
  const response = await fetchApi('/v1/monitor/feed', {
    query,
    signal,
    headers: {
      Accept: 'text/event-stream',
      ...(lastEventId === '' ? {} : { 'Last-Event-ID': lastEventId }),
    },
  });
  if (!response.ok || response.body === null) {
    const { status } = response;
    const message = `The live feed answered ${status}.`;
    throw new ApiError({ status, code: String(status), message, fields: {} });
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (text + part.value).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== undefined) onEvent(event);
    }
  }
}

/** Undefined for a heartbeat. */
function parseBlock(block: string): FeedEvent | undefined {
  const lines = block.split('\n');
  const fieldOf = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = fieldOf('data');
  return data === undefined ? undefined : { id: fieldOf('id') ?? '', data };
}
