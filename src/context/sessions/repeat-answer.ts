import type { Database } from '../../kernel/database/database.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { findMessage } from '../store/answer-store.ts';
import { sendSessionNotice } from '../store/session-notices.ts';
import { type EventPlace, writeEventId } from './event-log.ts';

export type RepeatAnswerOptions = {
  readonly sessionId: string;
  /** The last event that arrived, on a stream that another process began. */
  readonly last: EventPlace;
  /** This process. */
  readonly process: string;
  readonly database: Database;
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
  const { sessionId, last, database, clock, signal } = options;
  const { process: to, streamId } = last;
  const encoder = new TextEncoder();
  const until = clock.now() + patienceMs;
  let after = last.order;
  let isOver = false;
  const from = options.process;
  await sendSessionNotice(database, { kind: 'resumed', id: sessionId, from, to, streamId });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (!isOver && !signal.aborted && clock.now() < until) {
        const next = await findMessage(database, { sessionId, streamId }, after);
        if (next !== undefined) {
          after = next.order;
          const eventId = writeEventId({ order: after, process: to, streamId });
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
  return new Response(body, { headers: { ...headers, 'Mcp-Session-Id': sessionId } });
}

function isAnswer(text: string): boolean {
  const message: object = JSON.parse(text);
  return 'result' in message || 'error' in message;
}
