import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Database } from '../../kernel/database/database.ts';
import { linkSignals, onAbort } from '../../kernel/wait/cancel.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { type ContextCaller, type ContextRequest, toAuthInfo } from '../caller.ts';
import { refuseMessage } from '../context-error.ts';
import { type ListenerAdmission, onStreamEnd } from '../http/admit-listeners.ts';
import { findMessage, sendSessionNotice } from '../store/session-store.ts';
import {
  type EventPlace,
  followMs,
  notificationStream,
  parseEventId,
  writeEventId,
} from './event-log.ts';
import type { HeldSession } from './hold-session.ts';
import type { KeptSessionsOptions } from './kept-sessions.ts';

/** Answers a request in a session that this process holds: a message, or a stream to open or resume. */
export async function answerInSession(
  session: HeldSession,
  asked: ContextRequest & { readonly request: Request },
  options: KeptSessionsOptions & { readonly listeners: ListenerAdmission },
): Promise<Response> {
  const { request, caller, body, signal, connection } = asked;
  const { database, process, onFailure } = options;
  const { id } = session;
  if (request.method === 'GET') {
    const last = parseEventId(request.headers.get('last-event-id') ?? '');
    const isNotificationStream = last === undefined || last.streamId === notificationStream;
    return isNotificationStream || last.process === process
      ? openStream(session, { request, signal, isNotificationStream }, options)
      : repeatAnswer({ ...options, session, caller, last, signal });
  }
  const params = cancelledBy(body);
  if (params !== undefined) {
    const notice = { kind: 'cancelled', id, from: process, params } as const;
    await sendSessionNotice(database, notice).catch(onFailure);
  }
  const streams = eventStreamIds(body);
  const cancel = () => {
    for (const requestId of streams) cancelCall(session, { requestId });
  };
  const end = () => {
    cancel();
    for (const requestId of streams) session.transport.closeSSEStream(requestId);
  };
  connection.onEnd(end);
  const response = await session.transport.handleRequest(request, {
    parsedBody: body,
    authInfo: toAuthInfo(caller, connection),
  });
  if (streams.length === 0) return response;
  onAbort(signal, end);
  // Its client reads no more, and has a cursor to go on from (M59).
  return onStreamEnd(response, cancel);
}

const streamMessage = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.literal('events/stream'),
});

/** The ids of the requests for a stream of events in a body. */
export function eventStreamIds(body: unknown): readonly (string | number)[] {
  return [body].flat().flatMap((message) => streamMessage.safeParse(message).data?.id ?? []);
}

/** Lets the protocol server drop a call without an answer; it ignores what is no call. */
export function cancelCall({ transport }: Pick<HeldSession, 'transport'>, params: unknown): void {
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
  transport.onmessage?.(message as JSONRPCMessage); // the handler checks its content
}

/** Opens the notification stream, or resumes a stream that this process began. */
async function openStream(
  session: HeldSession,
  {
    request,
    signal,
    isNotificationStream,
  }: { request: Request; signal: AbortSignal; isNotificationStream: boolean },
  { database, process: from, onFailure }: KeptSessionsOptions,
): Promise<Response> {
  const { id, transport, pairs } = session;
  // Counted first, so that watches added from now on take effect here, see heedNotice.
  if (isNotificationStream) session.streams += 1;
  // Opened before anything else is awaited: the next call may already send its client something on it.
  const response = onStreamEnd(await transport.handleRequest(request), () => {
    if (isNotificationStream) session.streams -= 1;
  });
  // A refused stream must not end the existing one.
  if (!response.ok) return response;
  onAbort(signal, () => transport.closeStandaloneSSEStream());
  if (isNotificationStream) {
    await pairs?.follow().catch(onFailure);
    await sendSessionNotice(database, { kind: 'stream', id, from }).catch(onFailure);
  }
  return response;
}

/** The parameters of a message that cancels a call: the call may run at another process. */
function cancelledBy(body: unknown): unknown {
  const isMessage = typeof body === 'object' && body !== null && 'method' in body;
  if (!isMessage || body.method !== 'notifications/cancelled') return undefined;
  return 'params' in body ? body.params : undefined;
}

type RepeatAnswerOptions = {
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
async function repeatAnswer(options: RepeatAnswerOptions): Promise<Response> {
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
