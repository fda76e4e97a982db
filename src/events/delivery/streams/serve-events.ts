/** One server-sent event; `id` is what the reader gives back to resume after it. */
export type ServerSentEvent = { readonly id: string; readonly data: string };

/** How soon a reader that lost its connection may come back, in milliseconds. */
const reconnectAfter = 1_000;

/**
 * Answers with server-sent events (WHATWG HTML section 9.2) until the source ends or the reader goes.
 * `undefined` is a heartbeat. The next is asked for when the reader has taken what came before.
 */
export function serveEvents(
  open: (signal: AbortSignal) => AsyncIterator<readonly ServerSentEvent[] | undefined>,
): Response {
  const encoder = new TextEncoder();
  const cancelling = new AbortController();
  const source = open(cancelling.signal);
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(`retry: ${reconnectAfter}\n\n`));
      },
      async pull(controller) {
        const { done, value } = await source.next();
        if (done) return controller.close();
        controller.enqueue(
          encoder.encode(value === undefined ? ':\n\n' : value.map(write).join('')),
        );
      },
      async cancel() {
        // Ends the wait in which the source may be, which a return alone would sit through.
        cancelling.abort();
        await source.return?.();
      },
    },
    // Nothing is read ahead of the reader: what it was not given is not delivered.
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
  return `id: ${id}\ndata: ${data}\n\n`;
}
