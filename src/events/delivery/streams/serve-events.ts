import type { Heartbeat, Heartbeats } from './heartbeats.ts';

/** One server-sent event; `id` is what the reader gives back to resume after it. */
export type ServerSentEvent = { readonly id: string | undefined; readonly data: string };

/** How soon a reader that lost its connection may come back, in milliseconds. */
const reconnectAfter = 1_000;

const encoder = new TextEncoder();
const sign = encoder.encode(':\n\n');

/**
 * Answers with server-sent events (WHATWG HTML section 9.2) until the source ends or the reader disconnects. The source
 * is asked for more when the reader has taken the previous events; while the reader waits, it gets heartbeats.
 */
export function serveEvents(
  heartbeats: Heartbeats,
  open: (signal: AbortSignal) => AsyncIterator<readonly ServerSentEvent[]>,
  /** Called when the stream is over, also if the reader disconnected before it took anything. */
  onEnd: () => void,
): Response {
  const cancelling = new AbortController();
  const source = open(cancelling.signal);
  let heartbeat: Heartbeat | undefined;
  let isWaiting = false;
  const end = () => {
    heartbeat?.close();
    onEnd();
  };
  const next = async () => {
    isWaiting = true;
    try {
      return await source.next();
    } catch (error) {
      end();
      throw error;
    } finally {
      isWaiting = false;
    }
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(`retry: ${reconnectAfter}\n\n`));
        heartbeat = heartbeats.watch(() => {
          if (isWaiting && controller.desiredSize === 0) controller.enqueue(sign);
        });
      },
      async pull(controller) {
        const { done, value } = await next();
        if (done) {
          end();
          return controller.close();
        }
        heartbeat?.onSent();
        controller.enqueue(encoder.encode(value.map(write).join('')));
      },
      async cancel() {
        end();
        // Ends a wait of the source: `return` alone would take effect only after it.
        cancelling.abort();
        await source.return?.();
      },
    },
    // Nothing is read ahead, because events that the reader was not given must not count as delivered.
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

/** Data is JSON on one line, so it needs no splitting. */
function write({ id, data }: ServerSentEvent): string {
  const place = id === undefined ? '' : `id: ${id}\n`;
  return `${place}data: ${data}\n\n`;
}
