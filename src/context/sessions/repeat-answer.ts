import { linkSignals } from '../../kernel/cancel/link-signals.ts';
import { onAbort } from '../../kernel/cancel/on-abort.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { ContextCaller } from '../caller.ts';
import type { ListenerAdmission } from '../http/admit-listeners.ts';
import { refuseMessage } from '../refuse-message.ts';
import { findMessage } from '../store/answer-store.ts';
import { sendSessionNotice } from '../store/session-notices.ts';
import { type EventPlace, followMs, writeEventId } from './event-log.ts';
import type { HeldSession } from './hold-session.ts';

export type RepeatAnswerOptions = {
  readonly session: Pick<HeldSession, 'id' | 'resumed'>;
  readonly caller: ContextCaller;
  /** The last event that arrived, on a stream that another process began. */
  readonly last: EventPlace;
  /** This process. */
  readonly process: string;
  readonly listeners: ListenerAdmission;
  readonly database: Database;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

const lookEveryMs = 200;
/** Within this time a live process has said whether it began the stream. */
const signMs = 5_000;

/**
 * Resumes a stream that answers a request and broke at another process: asks that process for its messages, and sends
 * them until the answer has come. If that process is gone or never began the stream, the resumed stream ends without
 * an answer, as the connection did. A stream is resumed once at a time, and counts among those of its caller (N5).
 */
export async function repeatAnswer(options: RepeatAnswerOptions): Promise<Response> {
  const { session, caller, last, listeners, database, clock } = options;
  const { id: sessionId, resumed } = session;
  const { process: to, streamId } = last;
  // A client that asks again has given up the previous connection.
  resumed.get(streamId)?.end();
  const over = linkSignals(options.signal);
  const admitted = listeners.enter(caller, { pairs: 0, end: () => over.abort() });
  if ('refusal' in admitted) {
    over.release();
    const { refusal: message, status = 429 } = admitted;
    return refuseMessage({ status, code: -32_000, message });
  }
  const known = Promise.withResolvers<boolean>();
  const stream = { hear: known.resolve, end: () => over.abort() };
  resumed.set(streamId, stream);
  onAbort(over.signal, () => {
    admitted.leave();
    over.release();
    if (resumed.get(streamId) === stream) resumed.delete(streamId);
  });
  void clock.sleep(signMs, over.signal).then(() => known.resolve(false));
  void clock.sleep(followMs, over.signal).then(() => over.abort());
  const notice = { kind: 'resumed', id: sessionId, from: options.process, to, streamId } as const;
  await sendSessionNotice(database, notice).catch((error: unknown) => {
    over.abort();
    throw error;
  });
  const body = sendMessages({ session, last, database, clock, over, isKnown: known.promise });
  const headers = {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-cache, no-transform',
  };
  return new Response(body, { headers: { ...headers, 'Mcp-Session-Id': sessionId } });
}

/** The messages after the last event as the other process hands them over, until `over` or the answer. */
function sendMessages(
  options: Pick<RepeatAnswerOptions, 'session' | 'last' | 'database' | 'clock'> & {
    readonly over: Pick<AbortController, 'signal' | 'abort'>;
    readonly isKnown: Promise<boolean>;
  },
): ReadableStream<Uint8Array> {
  const { session, last, database, clock, over, isKnown } = options;
  const { process, streamId } = last;
  const stream = { sessionId: session.id, streamId };
  const encoder = new TextEncoder();
  let after = last.order;
  let stopWaiting = () => {};
  return new ReadableStream({
    start(controller) {
      stopWaiting = onAbort(over.signal, () => controller.close());
    },
    async pull(controller) {
      while (!over.signal.aborted) {
        const next = await findMessage(database, stream, after);
        if (over.signal.aborted) return;
        if (next !== undefined) {
          after = next.order;
          const eventId = writeEventId({ order: after, process, streamId });
          controller.enqueue(
            encoder.encode(`event: message\nid: ${eventId}\ndata: ${next.text}\n\n`),
          );
          if (isAnswer(next.text)) over.abort();
          return;
        }
        if (await isKnown) await clock.sleep(lookEveryMs, over.signal);
        else over.abort();
      }
    },
    cancel() {
      stopWaiting();
      over.abort();
    },
  });
}

function isAnswer(text: string): boolean {
  const message: object = JSON.parse(text);
  return 'result' in message || 'error' in message;
}
