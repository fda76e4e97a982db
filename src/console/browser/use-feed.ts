import { html, useEffect, useRef, useState, type VNode } from '../vendor/preact.js';
import { ApiError, fetchApi } from './api.ts';
import { after, now } from './clock.ts';
import { formatTime } from './format.ts';
import type { Attempt, Monitored, PublishedEvent } from './monitor.ts';

/** The items of the live feed. */
export type FeedItem =
  | { readonly kind: 'ready' }
  | { readonly kind: 'gap' }
  | { readonly kind: 'event'; readonly event: PublishedEvent }
  | { readonly kind: 'attempt'; readonly subscription: string; readonly attempt: Attempt }
  | { readonly kind: 'subscription'; readonly subscription: Monitored };

/** Since when the connection is lost; `undefined` while the feed is open. */
type FeedState = { readonly lostSince: number | undefined; readonly isOpen: boolean };

const pauseBeforeReturn = 1_000;

/**
 * The live feed of a page (K13). When the connection is lost, as in a restart of the server, it resumes after the last
 * item. `onItem` gets each item: `ready` when the feed opens for the first time, `gap` if lists must be read again.
 */
export function useFeed(
  query: Readonly<Record<string, string | undefined>>,
  onItem: (item: FeedItem) => void,
): FeedState {
  const [state, setState] = useState<FeedState>({ lostSince: undefined, isOpen: false });
  const listener = useRef(onItem);
  listener.current = onItem;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let lastEventId = '';
    const follow = async (): Promise<void> => {
      while (!signal.aborted) {
        const onEvent = ({ id, data }: { id: string; data: string }) => {
          const isFirst = lastEventId === '';
          lastEventId = id;
          setState({ lostSince: undefined, isOpen: true });
          // The server is ours, and its answers are checked by its own tests.
          const item = JSON.parse(data) as FeedItem;
          if (item.kind !== 'ready' || isFirst) listener.current(item);
        };
        await readFeed({ query, lastEventId, signal, onEvent }).catch(() => {});
        if (signal.aborted) return;
        setState((before) => ({ lostSince: before.lostSince ?? now(), isOpen: false }));
        await new Promise<void>((resolve) => after(pauseBeforeReturn, resolve));
      }
    };
    void follow();
    return () => controller.abort();
  }, [JSON.stringify(query)]);
  return state;
}

/** Says whether what is shown is live, and since when it is not (K18). */
export function Live({ state }: { state: FeedState }): VNode {
  const { isOpen, lostSince } = state;
  if (isOpen) return html`<span class="badge good" role="status">Live</span>`;
  return html`<span class="badge warn" role="status">${lostSince === undefined ? 'Connecting …' : `Not live since ${formatTime(lostSince)}`}</span>`;
}

/** One server-sent event: its data, and the id from which to resume. */
type FeedEvent = { readonly id: string; readonly data: string };

/**
 * Reads the live feed after `lastEventId` until it ends. Calls `onEvent` with each item.
 * Throws `ApiError` if the server refuses.
 */
async function readFeed(options: {
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
