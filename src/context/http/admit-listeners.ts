import { sharePlaces } from '../../kernel/wait/shares.ts';
import { accountKey, type ContextCaller, callerKey } from '../caller.ts';
import { contextLimits } from '../limits.ts';

const { listeners, listenersOfAccount, listenersOfCaller, watchesOfCaller } = contextLimits;

/**
 * Counts the streams of clients without a session that are open at this process, and the pairs they watch. Also
 * counts the streams of sessions that another process began and this one continues.
 */
export type ListenerAdmission = {
  /**
   * Returns what to call when the stream ends, or why there is no room for it. If all places are taken, the account with
   * the most streams loses its oldest to one that has fewer (N23): `end` ends it.
   */
  enter(
    caller: ContextCaller,
    stream: { readonly pairs: number; end(): void },
  ): { readonly leave: () => void } | ListenerRefusal;
};

type ListenerRefusal = { readonly refusal: string; readonly status?: 429 | 503 };

export function admitListeners(): ListenerAdmission {
  const open = new Map<string, Set<{ readonly pairs: number }>>();
  const places = sharePlaces(listeners.value);
  const ofAccounts = new Map<string, number>();
  const count = (account: string, change: number) => {
    const counted = (ofAccounts.get(account) ?? 0) + change;
    if (counted > 0) ofAccounts.set(account, counted);
    else ofAccounts.delete(account);
  };
  return {
    enter(caller, { pairs, end }) {
      const account = accountKey(caller);
      const key = callerKey(caller);
      const own = open.get(key) ?? new Set();
      const watched = [...own].reduce((sum, stream) => sum + stream.pairs, 0);
      if (own.size >= listenersOfCaller.value) {
        const way = 'close one, or name several pairs in one stream';
        return {
          refusal: `You have ${own.size} open streams, which is the limit: ${way}.`,
          status: 429,
        };
      }
      const ofAccount = ofAccounts.get(account) ?? 0;
      if (ofAccount >= listenersOfAccount.value) {
        const refusal = `Your account has ${ofAccount} open streams by all of its clients, which is the limit: close one.`;
        return { refusal, status: 429 };
      }
      if (watched + pairs > watchesOfCaller.value) {
        const most = `your streams watch ${watched} pairs, and ${watchesOfCaller.value} are the limit`;
        return {
          refusal: `TOO_MANY_WATCHES: ${most}: close a stream, or name fewer than ${pairs}.`,
        };
      }
      const stream = { pairs };
      const leave = () => {
        if (!own.delete(stream)) return;
        free?.();
        count(account, -1);
        if (own.size === 0 && open.get(key) === own) open.delete(key);
      };
      const free = places.take(account, () => {
        leave();
        end();
      });
      if (free === undefined) {
        const refusal = `${listeners.value} streams are open, which is the limit: try again later.`;
        return { refusal, status: 503 };
      }
      open.set(key, own.add(stream));
      count(account, 1);
      return { leave };
    },
  };
}

/** Calls back once an answer is over: a stream when it ends or is cancelled, any other at once. */
export function onStreamEnd(response: Response, callback: () => void): Response {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream || response.body === null) {
    callback();
    return response;
  }
  const watched = new TransformStream({ flush: callback, cancel: callback });
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(watched), { status, headers });
}
