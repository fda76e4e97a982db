import type { Clock } from '../../kernel/clock.ts';
import type { SessionStore } from '../store/session-store.ts';
import { type EventPlace, writeEventId } from './event-log.ts';

export type RepeatAnswerOptions = {
  readonly sessionId: string;
  /** The last event that arrived, on a stream that another process began. */
  readonly last: EventPlace;
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

const lookEveryMs = 200;
/** A call takes a few seconds at most; whoever has not answered then was ended in the middle of it. */
const patienceMs = 30_000;

/**
 * Goes on with a stream that answers a request and broke at another process: asks that one for its messages, and
 * sends them until the answer has come. Where the other process is gone the stream ends without one, as the
 * connection did.
 */
export async function repeatAnswer(options: RepeatAnswerOptions): Promise<Response> {
  const { sessionId: id, last, store, clock, signal } = options;
  const { process, streamId } = last;
  const encoder = new TextEncoder();
  const until = clock.now() + patienceMs;
  let after = last.order;
  let isOver = false;
  await store.tell({ kind: 'resumed', id, to: process, streamId });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (!isOver && !signal.aborted && clock.now() < until) {
        const next = await store.handedOver(id, { streamId, after });
        if (next !== undefined) {
          after = next.order;
          const eventId = writeEventId({ order: after, process, streamId });
          controller.enqueue(
            encoder.encode(`event: message\nid: ${eventId}\ndata: ${next.text}\n\n`),
          );
          isOver = isAnswer(next.text);
          if (!isOver) return;
        } else await clock.sleep(lookEveryMs, signal);
      }
      controller.close();
    },
    cancel() {
      isOver = true;
    },
  });
  const headers = {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-cache, no-transform',
  };
  return new Response(body, { headers: { ...headers, 'Mcp-Session-Id': id } });
}

function isAnswer(text: string): boolean {
  const message: object = JSON.parse(text);
  return 'result' in message || 'error' in message;
}
