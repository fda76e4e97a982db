import { type ContextCaller, callerKey } from '../caller.ts';
import { contextLimits } from '../limits.ts';

const { listeners, listenersOfCaller, watchesOfCaller } = contextLimits;

/**
 * Counts the streams of clients without a session that are open at this process, and the pairs they watch. Also
 * counts the streams of sessions that another process began and this one continues.
 */
export type ListenerAdmission = {
  /** Returns what to call when the stream ends, or why there is no room for it. */
  enter(
    caller: ContextCaller,
    pairs: number,
  ): { readonly leave: () => void } | { readonly refusal: string };
};

export function admitListeners(): ListenerAdmission {
  const open = new Map<string, Set<{ readonly pairs: number }>>();
  let all = 0;
  return {
    enter(caller, pairs) {
      const key = callerKey(caller);
      const own = open.get(key) ?? new Set();
      const watched = [...own].reduce((sum, stream) => sum + stream.pairs, 0);
      if (own.size >= listenersOfCaller.value) {
        const way = 'close one, or name several pairs in one stream';
        return { refusal: `You have ${own.size} open streams, which is the limit: ${way}.` };
      }
      if (watched + pairs > watchesOfCaller.value) {
        const most = `your streams watch ${watched} pairs, and ${watchesOfCaller.value} are the limit`;
        return {
          refusal: `TOO_MANY_WATCHES: ${most}: close a stream, or name fewer than ${pairs}.`,
        };
      }
      if (all >= listeners.value)
        return { refusal: `${all} streams are open, which is the limit: try again later.` };
      const stream = { pairs };
      open.set(key, own.add(stream));
      all += 1;
      return {
        leave() {
          if (!own.delete(stream)) return;
          all -= 1;
          if (own.size === 0) open.delete(key);
        },
      };
    },
  };
}
