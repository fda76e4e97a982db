/** One server-sent event; `id` is what the reader gives back to resume after it. */
export type ServerSentEvent = { readonly id: string | undefined; readonly data: string };

/** How soon a reader that lost its connection may come back, in milliseconds. */
const reconnectAfter = 1_000;

const encoder = new TextEncoder();

/**
 * Answers with server-sent events (WHATWG HTML section 9.2) until the source ends or the reader disconnects. The source
 * is asked for more when the reader has taken the previous events. Each piece of the body is made of whole events, so
 * the listener can send heartbeats in between.
 */
export function serveEvents(
  open: (signal: AbortSignal) => AsyncIterator<readonly ServerSentEvent[]>,
  /** Called when the stream is over, also if the reader disconnected before it took anything. */
  onEnd: () => void,
): Response {
  const cancelling = new AbortController();
  const source = open(cancelling.signal);
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(`retry: ${reconnectAfter}\n\n`));
      },
      async pull(controller) {
        const { done, value } = await source.next().catch((error) => {
          onEnd();
          throw error;
        });
        if (done) {
          onEnd();
          return controller.close();
        }
        controller.enqueue(encoder.encode(value.map(write).join('')));
      },
      async cancel() {
        onEnd();
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
