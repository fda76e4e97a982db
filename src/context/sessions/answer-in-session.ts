import { onAbort } from '../../kernel/cancel/on-abort.ts';
import { toAuthInfo } from '../caller.ts';
import type { ContextRequest } from '../context-request.ts';
import type { ListenerAdmission } from '../http/admit-listeners.ts';
import { onStreamEnd } from '../http/on-stream-end.ts';
import { sendSessionNotice } from '../store/session-notices.ts';
import { notificationStream, parseEventId } from './event-log.ts';
import type { HeldSession } from './hold-session.ts';
import type { KeptSessionsOptions } from './kept-sessions.ts';
import { repeatAnswer } from './repeat-answer.ts';

/** Answers a request in a session that this process holds: a message, or a stream to open or resume. */
export async function answerInSession(
  session: HeldSession,
  asked: ContextRequest & { readonly request: Request },
  options: KeptSessionsOptions & { readonly listeners: ListenerAdmission },
): Promise<Response> {
  const { request, caller, body, signal } = asked;
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
  return session.transport.handleRequest(request, {
    parsedBody: body,
    authInfo: toAuthInfo(caller),
  });
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
