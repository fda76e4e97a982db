import { onAbort } from '../../../kernel/wait/cancel.ts';

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
  {
    onEnd,
    over,
  }: {
    /** Called when the stream is over, also if the reader disconnected before it took anything. */
    readonly onEnd: () => void;
    /** Ends the stream when it is aborted. */
    readonly over: AbortController;
  },
): Response {
  const source = open(over.signal);
  let [isReading, isOver] = [false, false];
  const finish = () => {
    isOver = true;
    onEnd();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(`retry: ${reconnectAfter}\n\n`));
        onAbort(over.signal, () => {
          // A source that is being read returns soon. Otherwise the reader may not ask for a long time.
          if (isReading || isOver) return;
          finish();
          controller.close();
          void source.return?.();
        });
      },
      async pull(controller) {
        isReading = true;
        const { done, value } = await source.next().catch((error) => {
          finish();
          throw error;
        });
        isReading = false;
        if (isOver) return;
        if (!done) controller.enqueue(encoder.encode(value.map(write).join('')));
        if (!done && !over.signal.aborted) return;
        finish();
        controller.close();
        await source.return?.();
      },
      async cancel() {
        finish();
        // Ends a wait of the source: `return` alone would take effect only after it.
        over.abort();
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
